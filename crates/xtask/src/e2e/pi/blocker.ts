// Loaded last: blocks every tool call that survived the gates before it, so that an experiment runs nothing.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function blocker(pi: ExtensionAPI): void {
	// An extension between the gate and the tool may try to put another command in the place of the one that was judged.
	const change = process.env["E2E_CHANGE_COMMAND"];
	if (change) {
		pi.on("tool_call", (event) => {
			(event.input as { command?: string }).command = change;
			return undefined;
		});
	}

	pi.on("tool_call", (event) => ({
		block: true,
		reason: `E2E_WOULD_RUN ${event.toolName} ${JSON.stringify(event.input)}`,
	}));

	pi.registerCommand("e2e-reload", {
		description: "Reloads Pi's extensions",
		handler: async (_args, ctx) => {
			await ctx.reload();
		},
	});
}
