// The shell that Pi runs commands with. The engine reads Bash, and what another shell makes of a text it does not know.

import { basename } from "node:path";
import { type ExtensionContext, getAgentDir, SettingsManager } from "@earendil-works/pi-coding-agent";

/** How Pi runs a command. */
export type Shell = {
	/** The shell the user set, where it is set. */
	path: string | null;
	/** Whether it reads Bash as bash does. */
	isBash: boolean;
	/** Whether text is run before every command. */
	hasPrefix: boolean;
};

/** Reads Pi's settings, those of a project only where it is trusted. */
export function shellOf(context: ExtensionContext): Shell {
	try {
		const options = { projectTrusted: context.isProjectTrusted() };
		const settings = SettingsManager.create(context.cwd, getAgentDir(), options);
		const path = settings.getShellPath() ?? null;
		const isBash = path === null || ["bash", "bash.exe"].includes(basename(path.replaceAll("\\", "/")));
		return { path, isBash, hasPrefix: (settings.getShellCommandPrefix() ?? "").trim() !== "" };
	} catch {
		return { path: "(unreadable settings)", isBash: false, hasPrefix: false };
	}
}
