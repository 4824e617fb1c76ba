// Gate mode: without a permission system, the engine judges Pi's own `bash` calls by the same policy files.
//
// INVARIANT: a `bash` call that is not blocked was allowed by the engine, and the record of that was written.

import type { ExtensionContext, ToolCallEvent, ToolCallEventResult } from "@earendil-works/pi-coding-agent";
import type { Engine } from "./engine.ts";
import type { History } from "./history.ts";
import { type Choice, type GateDecision, type GateSettled, readGateDecision, readGateSettled } from "./protocol.ts";
import { messageOf } from "./rpc.ts";
import type { Shell } from "./shell.ts";
import { printable, shownCommand } from "./text.ts";

const ONCE = "Yes, once";
const SESSION = "Yes, and the same command again in this session";
const DENY = "No";
const DENY_WITH_REASON = "No, and tell the agent why";

type Chosen = { choice: Choice; reason?: string };

/** Decides one `bash` call; `undefined` lets it pass. */
export async function gate(
	engine: Engine,
	history: History,
	event: ToolCallEvent,
	context: ExtensionContext,
	shell: Shell,
): Promise<ToolCallEventResult | undefined> {
	const begin = performance.now();
	const input = event.input as { command?: unknown };
	const command = typeof input.command === "string" ? input.command : "";
	let outcome: GateSettled;
	let said: string | undefined;
	try {
		const decision = await decide(engine, event, context, shell);
		said = decision.code;
		outcome = decision.decision === "ask" ? await ask(engine, decision, command, context) : settled(decision);
		if (outcome.decision === "allow") pin(input, command);
	} catch (error) {
		const reason =
			`[innercmd] The command was not run: it could not be judged (${messageOf(error)}). ` +
			"Trying it once more may help; otherwise tell the user to look at /innercmd.";
		outcome = { decision: "deny", code: "host-pi:no-answer", reason };
	}
	const ms = performance.now() - begin;
	const code = said && said !== outcome.code ? `${said} -> ${outcome.code}` : outcome.code;
	const why = outcome.reason;
	history.add({ mode: "gate", command, outcome: outcome.decision, code, ms, ...(why && { why }) });
	if (outcome.decision === "allow") return undefined;
	return { block: true, reason: outcome.reason ?? "[innercmd] The command was not run." };
}

async function decide(
	engine: Engine,
	event: ToolCallEvent,
	context: ExtensionContext,
	shell: Shell,
): Promise<GateDecision> {
	const params = {
		input: JSON.stringify(event.input),
		toolCallId: event.toolCallId,
		sessionId: context.sessionManager.getSessionId(),
		cwd: context.cwd,
		agent: activeAgent(context),
		shell: shell.path,
	};
	return readGateDecision(await engine.ask("gate/decide", params, { signal: context.signal }));
}

function settled(decision: GateDecision): GateSettled {
	const { code, reason } = decision;
	return decision.decision === "allow" ? { decision: "allow", code } : { decision: "deny", code, ...(reason && { reason }) };
}

async function ask(
	engine: Engine,
	decision: GateDecision,
	command: string,
	context: ExtensionContext,
): Promise<GateSettled> {
	const chosen = await choose(decision, command, context);
	const params = { ticket: decision.ticket, ...chosen };
	return readGateSettled(await engine.ask("gate/settle", params));
}

async function choose(decision: GateDecision, command: string, context: ExtensionContext): Promise<Chosen> {
	if (!context.hasUI) return { choice: "unavailable" };
	const signal = context.signal;
	const dialog = signal ? { signal } : {};
	const options = [ONCE, SESSION, DENY, DENY_WITH_REASON];
	const answer = await untilAborted(context.ui.select(question(decision, command), options, dialog), signal);
	if (signal?.aborted) return { choice: "aborted" };
	if (answer === ONCE) return { choice: "once" };
	if (answer === SESSION) return { choice: "session" };
	if (answer !== DENY_WITH_REASON) return { choice: "deny" };
	const input = context.ui.input("What should the agent know?", "why, or what to do instead", dialog);
	const reason = await untilAborted(input, signal);
	return { choice: "deny", ...(reason?.trim() && { reason: reason.toWellFormed() }) };
}

/** The text of the question: the command as it is, and which parts of it need the user's word. */
function question(decision: GateDecision, command: string): string {
	const parts = decision.units
		.filter((unit) => unit.decision !== "allow")
		.map((unit) => `  ${printable(unit.text, 120)}${unit.rule ? `  (rule ${printable(unit.rule, 80)})` : ""}`);
	const why = decision.reason ? `\n${printable(decision.reason, 300)}` : "";
	const which = parts.length > 0 ? `\n\nAsked about:\n${parts.slice(0, 12).join("\n")}` : "";
	const more = parts.length > 12 ? `\n  … and ${parts.length - 12} more` : "";
	return `Run this command?\n\n${shownCommand(command)}\n${which}${more}\n${why}\n[${decision.code}]`;
}

/** The answer, or `undefined` as soon as the turn is aborted, whatever the dialog does. */
async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
	if (!signal) return answer;
	let stop = (): void => {};
	const aborted = new Promise<undefined>((resolve) => {
		stop = () => resolve(undefined);
		signal.addEventListener("abort", stop, { once: true });
		if (signal.aborted) stop();
	});
	try {
		return await Promise.race([answer, aborted]);
	} finally {
		signal.removeEventListener("abort", stop);
	}
}

/** Holds the command fast, so that no handler after this one can put another in its place. */
function pin(input: object, command: string): void {
	Object.defineProperty(input, "command", { value: command, enumerable: true, writable: false, configurable: false });
}

/** The agent on whose behalf the session runs, as pi-permission-system finds it. */
function activeAgent(context: ExtensionContext): string | null {
	for (const entry of context.sessionManager.getEntries().toReversed()) {
		if (entry.type !== "custom" || entry.customType !== "active_agent") continue;
		const name = (entry.data as { name?: unknown } | undefined)?.name;
		if (typeof name === "string" && name.trim() !== "") return name.trim();
		if (name === null) return null;
	}
	const tag = /<active_agent\s+name=["']([^"']+)["'][^>]*>/i.exec(context.getSystemPrompt());
	return tag?.[1]?.trim() || null;
}
