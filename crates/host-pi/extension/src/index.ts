// The Pi extension of innercmd: a link where a permission system with an authorizer chain is loaded, a gate where none is.

import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";
import { findBinary } from "./binary.ts";
import { Engine } from "./engine.ts";
import { gate } from "./gate.ts";
import { History } from "./history.ts";
import { LINK, Link } from "./link.ts";
import { type GateOpened, readGateOpened, type Source } from "./protocol.ts";
import { publishedService, READY } from "./service.ts";
import { type Shell, shellOf } from "./shell.ts";

const VERSION = "0.1.0";

/** What this session does: `aside` where another permission system without a chain decides. */
type Mode = "link" | "gate" | "aside";

/** What stands from `session_start` to `session_shutdown`. */
type Session = {
	context: ExtensionContext;
	shell: Shell;
	engine: Engine;
	history: History;
	link: Link;
	gate: GateOpened | undefined;
};

export default function innercmd(pi: ExtensionAPI): void {
	let session: Session | undefined;
	// A permission system announces itself on the bus of the session it guards; a subagent has a bus of its own, so that a
	// service which its parent published does not pass for a guard of its own.
	let guarded = false;
	let ended = false;
	const said = new Set<string>();

	const mode = (): Mode => {
		const service = guarded ? publishedService() : undefined;
		if (!service) return "gate";
		return typeof service.registerAuthorizer === "function" ? "link" : "aside";
	};

	/** Tells the user something, once. */
	const say = (context: ExtensionContext, text: string, kind: "info" | "warning" = "warning"): void => {
		if (!context.hasUI || said.has(text)) return;
		said.add(text);
		context.ui.notify(`innercmd: ${text}`, kind);
	};

	const register = (): void => {
		if (!session) return;
		const registration = session.link.register();
		if (registration === "no-chain") {
			say(session.context, "pi-permission-system before 25.3 is loaded; it decides, and innercmd stays aside", "info");
		} else if (typeof registration === "object") {
			say(session.context, `pi-permission-system does not take the link ${LINK}: ${registration.refused}`);
		}
	};

	const stopListening = pi.events.on(READY, () => {
		guarded = true;
		register();
	});

	const end = async (): Promise<void> => {
		const last = session;
		session = undefined;
		last?.link.dispose();
		await last?.engine.close();
	};

	const begin = (context: ExtensionContext): Session => {
		const history = new History();
		const engine = new Engine(async (engine) => {
			if (session?.engine !== engine || mode() !== "gate") return;
			await openGate(engine);
		});
		const shell = shellOf(context);
		const link = new Link(engine, history, context, shell);
		session = { context, shell, engine, history, link, gate: undefined };
		register();
		const found = findBinary();
		if (found.path === undefined) say(context, `the engine is missing, so nothing is allowed: ${found.problem}`);
		return session;
	};

	pi.on("session_start", async (_event, context) => {
		// Pi 0.79 starts a session twice on /new, so whatever stands is ended first.
		await end();
		ended = false;
		begin(context);
	});

	const openGate = async (engine: Engine): Promise<void> => {
		if (!session) return;
		const opened = readGateOpened(await engine.askNow("gate/open", gateFiles(session.context)));
		session.gate = opened;
		for (const source of opened.sources.filter((source) => source.state === "invalid")) {
			say(session.context, `${source.path} is not in force: ${source.problems.join("; ")}`);
		}
		const policy = opened.builtin ? "its built-in policy, which asks for all but reading" : "your policy files";
		say(session.context, `no permission system is loaded; innercmd gates bash, and no other tool, by ${policy}`, "info");
		if (session.shell.hasPrefix) say(session.context, "shellCommandPrefix runs before every command and is not judged");
	};

	pi.on("tool_call", async (event, context) => {
		if (event.toolName !== "bash" || mode() !== "gate") return undefined;
		if (ended) return { block: true, reason: "[innercmd] The command was not run: the session has ended." };
		// A host that embeds Pi may never say that a session starts.
		const { engine, history, shell } = session ?? begin(context);
		return gate(engine, history, event, context, shell);
	});

	pi.on("session_shutdown", async () => {
		ended = true;
		stopListening();
		await end();
	});

	pi.registerCommand("innercmd", {
		description: "Shows what innercmd does in this session, and its last decisions",
		handler: async (_args, context) => {
			const text = session ? report(session, mode()) : "innercmd: no session";
			context.ui.notify(text, "info");
		},
	});
}

/** The policy files of pi-permission-system, the widest scope first, and where the record goes. */
function gateFiles(context: ExtensionContext): object {
	const agent = getAgentDir();
	const place = join("extensions", "pi-permission-system", "config.json");
	const sources: Source[] = [{ origin: "global", path: join(agent, place) }];
	const agents: Source[] = [{ origin: "agent", path: join(agent, "agents") }];
	// What lies in a project speaks only where the user trusts the project.
	if (context.isProjectTrusted()) {
		sources.push({ origin: "project", path: join(context.cwd, ".pi", place) });
		agents.push({ origin: "project-agent", path: join(context.cwd, ".pi", "agents") });
	}
	const home = process.env["HOME"] ?? process.env["USERPROFILE"] ?? null;
	return { sources, agents, audit: join(agent, "innercmd", "audit.jsonl"), home };
}

function report(session: Session, mode: Mode): string {
	const does = {
		link: session.link.registered
			? `link ${LINK}, registered; ${session.link.asks} asks so far`
			: "link, not registered (no user interface, or the name is taken)",
		gate: "gate: bash is judged here; other tools are not",
		aside: "aside: pi-permission-system before 25.3 decides",
	}[mode];
	const hint =
		mode === "link" && session.link.asks === 0
			? `\nnothing asked yet: is "${LINK}" listed in "authorizerChain" of the permission system's configuration?`
			: "";
	const shell = session.shell.isBash ? "" : `\nshell: ${session.shell.path} is not bash, so nothing is allowed unasked`;
	const policy = session.gate?.sources.map((source) => `\npolicy ${source.origin}: ${source.path}: ${source.state}`) ?? [];
	const decisions = session.history.lines();
	const last = decisions.length > 0 ? `\nlast decisions:\n${decisions.join("\n")}` : "\nno decisions yet";
	return `innercmd ${VERSION}\nmode: ${does}${hint}\nengine: ${session.engine.describe()}${shell}${policy.join("")}${last}`;
}
