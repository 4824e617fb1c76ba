// A double of pi-permission-system 25.4 and 26.3 for the experiments, built to what was measured of them: it publishes the service,
// asks the links of the chain in the configured order, and then the user. Its policy knows as much of Bash as the experiments need.

import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";

type State = "allow" | "ask" | "deny";
type Check = {
	toolName: string;
	state: State;
	reason?: string;
	matchedPattern?: string;
	command: string;
	source: string;
	origin: string;
	executedUnit?: string;
};
type Rules = { [pattern: string]: State | { action: "deny"; reason?: string } };
type Config = { authorizerChain?: string[]; permission: { bash: Rules; "*"?: State }; double?: { version?: 25 | 26 } };
type Link = (details: unknown, query: object, log: object) => unknown;

const SLOT = Symbol.for("@gotgenes/pi-permission-system:service");
const ORDER: State[] = ["allow", "ask", "deny"];
const WRAPPER = /^(timeout|env|xargs|nice|nohup|sudo|time|stdbuf|setsid)\b/;
const OPAQUE = /^(bash|sh|eval)\b/;

export default function permissionDouble(pi: ExtensionAPI): void {
	let config: Config;
	let context: ExtensionContext | undefined;
	const links = new Map<string, Link>();
	const approved: string[] = [];
	const tampering: { details?: (details: Record<string, unknown>) => void } = {};

	const service = {
		checkPermission(_surface: string, value?: string, _agent?: string): Check {
			const units = split((value ?? "").trim());
			const checks = units.map((unit) => check(unit));
			return checks.reduce((worst, next) => (rank(next.state) > rank(worst.state) ? next : worst));
		},
		getToolPermission: (): State => config.permission["*"] ?? "ask",
		registerAuthorizer(name: string, link: Link): () => void {
			if (links.has(name)) throw new Error(`authorizer '${name}' is already registered`);
			links.set(name, link);
			note({ registered: name, session: context?.sessionManager.getSessionId() });
			return () => {
				if (links.get(name) === link) links.delete(name);
				note({ disposed: name });
			};
		},
	};

	function check(unit: string): Check {
		const bare = unit.replace(/^(\w+=\S*\s+)+/, "").replace(/\s*\d*[<>]+&?\S*/g, "");
		let state: State = config.permission["*"] ?? "ask";
		let matchedPattern = "*";
		let reason: string | undefined;
		for (const [pattern, rule] of Object.entries(config.permission.bash)) {
			if (!wildcard(pattern).test(bare)) continue;
			state = typeof rule === "string" ? rule : rule.action;
			reason = typeof rule === "string" ? undefined : rule.reason;
			matchedPattern = pattern;
		}
		const result = { toolName: "bash", command: bare, source: "bash", origin: "global" };
		if (approved.some((pattern) => wildcard(pattern).test(bare)) && state !== "deny") {
			return { ...result, state: "allow", source: "session", origin: "session" };
		}
		if (state === "allow" && WRAPPER.test(bare)) {
			const executedUnit = bare.replace(/^\S+\s+\S+\s+/, "");
			return { ...result, state: "ask", matchedPattern: "<indirection-bash-wrapper>", executedUnit };
		}
		if (state === "allow" && OPAQUE.test(bare)) {
			return { ...result, state: "ask", matchedPattern: "<opaque-bash-wrapper>" };
		}
		return { ...result, state, matchedPattern, ...(reason && { reason }) };
	}

	function detailsFor(full: string, found: Check, toolCallId: string): Record<string, unknown> {
		const evidence = full === found.command ? [] : [{ label: "full command", text: full, detail: null }];
		const details: Record<string, unknown> = {
			requestId: `perm-${randomUUID()}`,
			payload: {
				kind: "bash",
				request: {
					requester: { agentName: null, forwarded: false, sessionId: null },
					surface: "bash",
					toolName: "bash",
					invokedToolName: null,
					value: found.command,
					matchedPattern: found.matchedPattern,
					commandContext: null,
					executedUnit: found.executedUnit ?? null,
				},
				evidence,
				annotations: [],
			},
			source: "tool_call",
			agentName: null,
			toolCallId,
			toolName: "bash",
			sessionLabel: `Yes, allow bash "${found.command}" for this session`,
			accessIntent: { surface: "bash", matchValues: [found.command], boundaryValue: null },
			command: found.command,
			origin: found.origin,
			sessionApproval: { surface: "bash", patterns: [found.command] },
			target: undefined,
		};
		if (config.double?.version === 25) details["message"] = `Current agent requested bash command '${found.command}'`;
		tampering.details?.(details);
		return details;
	}

	const query = {
		checkPermission: service.checkPermission,
		getToolPermission: service.getToolPermission,
	};
	const log = {
		review: (event: string, details: object) => note({ stream: "review", event, ...details }),
		debug: (event: string, details: object) => note({ stream: "debug", event, ...details }),
	};

	function note(record: object): void {
		appendFileSync(join(getAgentDir(), "double.jsonl"), `${JSON.stringify(record)}\n`);
	}

	/** Asks the chain: the first verdict that is not a defer counts. */
	async function chain(details: Record<string, unknown>): Promise<{ kind: string; reason?: string }> {
		for (const name of config.authorizerChain ?? []) {
			const link = links.get(name);
			if (!link) continue;
			const before = JSON.stringify(details);
			const verdict = (await link(details, query, log)) as { kind?: string; reason?: string } | undefined;
			if (JSON.stringify(details) !== before) note({ tampered: name });
			if (typeof verdict !== "object" || verdict === null) throw new Error(`link '${name}' gave no verdict`);
			if (verdict.kind === "allow" || verdict.kind === "deny") {
				return { kind: verdict.kind, ...(verdict.reason && { reason: verdict.reason }) };
			}
		}
		return { kind: "defer" };
	}

	pi.on("session_start", (_event, ctx) => {
		config = JSON.parse(readFileSync(join(getAgentDir(), "extensions/pi-permission-system/config.json"), "utf8"));
		context = ctx;
		(globalThis as { [slot: symbol]: unknown })[SLOT] = service;
		pi.events.emit("permissions:ready", {});
	});

	pi.on("session_shutdown", () => {
		const slots = globalThis as { [slot: symbol]: unknown };
		if (slots[SLOT] === service) delete slots[SLOT];
		note({ shutdown: true, links: [...links.keys()] });
	});

	pi.on("tool_call", async (event, ctx) => {
		if (event.toolName !== "bash") return undefined;
		try {
			const full = String((event.input as { command?: unknown }).command).trim();
			const found = service.checkPermission("bash", full);
			if (found.state === "allow") return undefined;
			const denied = (reason: string) => ({ block: true, reason: `[double] ${reason}` });
			if (found.state === "deny") return denied(`policy denies '${found.command}' (rule ${found.matchedPattern})`);
			const verdict = await chain(detailsFor(full, found, event.toolCallId));
			if (verdict.kind === "allow") return undefined;
			if (verdict.kind === "deny") return denied(verdict.reason ?? "The user denied this call");
			if (!ctx.hasUI) return denied("needs approval, and nobody is there");
			const session = `Yes, allow bash "${found.command}" for this session`;
			const options = ["Yes", session, "No", "No, provide reason"];
			const dialog = ctx.signal ? { signal: ctx.signal } : {};
			const answer = await ctx.ui.select(`Permission Required\n${found.command}`, options, dialog);
			if (answer === session) approved.push(found.command);
			if (answer === "Yes" || answer === session) return undefined;
			return denied("The user denied this call");
		} catch (error) {
			return { block: true, reason: `[double] gate error: ${error instanceof Error ? error.message : error}` };
		}
	});

	pi.registerCommand("double-links", {
		description: "Lists the registered links",
		handler: async (_args, ctx) => ctx.ui.notify(`links: ${JSON.stringify([...links.keys()])}`, "info"),
	});

	pi.registerCommand("double-ask", {
		description: "Hands the chain an ask as JSON: { command, unit?, set? }, where set changes details by path",
		handler: async (args, ctx) => {
			const wanted = JSON.parse(args) as { command: string; unit?: string; set?: { [path: string]: unknown } };
			const found = { ...service.checkPermission("bash", wanted.command), ...(wanted.unit && { command: wanted.unit }) };
			const details = detailsFor(wanted.command, found, "call_by_hand");
			for (const [path, value] of Object.entries(wanted.set ?? {})) assign(details, path.split("."), value);
			const verdict = await chain(details);
			ctx.ui.notify(`verdict: ${JSON.stringify(verdict)}`, "info");
		},
	});

	pi.registerCommand("double-measure", {
		description: "Asks the chain N times and tells how long each took, in microseconds",
		handler: async (args, ctx) => {
			const times: number[] = [];
			const kinds = new Set<string>();
			for (let round = 0; round < Number(args); round++) {
				const full = "timeout 60s echo hi";
				const details = detailsFor(full, service.checkPermission("bash", full), `call_${round}`);
				const begin = performance.now();
				const verdict = await chain(details);
				times.push((performance.now() - begin) * 1000);
				kinds.add(verdict.kind);
			}
			const first = times[0] ?? 0;
			times.sort((a, b) => a - b);
			const at = (part: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0);
			const found = { first: Math.round(first), median: at(0.5), p99: at(0.99), max: at(1), kinds: [...kinds] };
			ctx.ui.notify(`measured: ${JSON.stringify(found)}`, "info");
		},
	});
}

function rank(state: State): number {
	return ORDER.indexOf(state);
}

function wildcard(pattern: string): RegExp {
	const optional = pattern.endsWith(" *") ? pattern.slice(0, -2) : undefined;
	const body = (optional ?? pattern).replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, "[^]*").replace(/\?/g, "[^]");
	return new RegExp(`^${body}${optional === undefined ? "" : "( [^]*)?"}$`);
}

/** The commands of a list or pipeline, outside quotes. */
function split(command: string): string[] {
	const units: string[] = [];
	let unit = "";
	let quote = "";
	for (const character of command) {
		if (quote) quote = character === quote ? "" : quote;
		else if (character === '"' || character === "'") quote = character;
		if (!quote && /[;&|\n]/.test(character)) {
			units.push(unit.trim());
			unit = "";
		} else unit += character;
	}
	units.push(unit.trim());
	return units.filter((text) => text !== "");
}

function assign(target: Record<string, unknown>, path: string[], value: unknown): void {
	const last = path.pop() ?? "";
	const place = path.reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, target);
	place[last] = value;
}
