// Link mode: a link of pi-permission-system's authorizer chain.
//
// INVARIANT: the link never throws, rejects, hangs or changes `details`. Whatever goes wrong is a defer, and the user is asked.

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Engine, HostCalls } from "./engine.ts";
import type { History } from "./history.ts";
import { type LinkAnswer, Nonsense, readLinkAnswer } from "./protocol.ts";
import { messageOf, wellFormed } from "./rpc.ts";
import type { Shell } from "./shell.ts";
import { type LinkLog, type Query, type Service, type Verdict, publishedService } from "./service.ts";

/** The name operators list in `authorizerChain`. */
export const LINK = "inner-cmd";

const DEFER: Verdict = { kind: "defer" };

/** What a try to register came to. */
export type Registration = "registered" | "no-service" | "no-chain" | "not-root" | { refused: string };

/** The link of one session. */
export class Link {
	readonly #engine: Engine;
	readonly #history: History;
	readonly #context: ExtensionContext;
	readonly #owner: string;
	readonly #shell: Shell;
	#held: { service: Service; dispose: () => void } | undefined;
	#asks = 0;

	constructor(engine: Engine, history: History, context: ExtensionContext, shell: Shell) {
		this.#shell = shell;
		this.#engine = engine;
		this.#history = history;
		this.#context = context;
		this.#owner = context.hasUI ? context.sessionManager.getSessionId() : "";
	}

	/** Registers with the published service, once; a service that took its place gets a registration of its own. */
	register(): Registration {
		// A subagent in this process sees its parent's service; it has no user interface of its own.
		if (this.#owner.trim() === "") return "not-root";
		const service = publishedService();
		if (!service) return "no-service";
		if (this.#held?.service === service) return "registered";
		if (typeof service.registerAuthorizer !== "function") return "no-chain";
		this.dispose();
		try {
			const dispose = service.registerAuthorizer(LINK, (details, query, log) => this.#authorize(details, query, log));
			this.#held = { service, dispose };
			return "registered";
		} catch (error) {
			return { refused: messageOf(error) };
		}
	}

	/** Undoes the registration. */
	dispose(): void {
		const held = this.#held;
		this.#held = undefined;
		try {
			held?.dispose();
		} catch {
			// A service that is gone has nothing to undo.
		}
	}

	get registered(): boolean {
		return this.#held !== undefined;
	}

	/** How many asks came this way. */
	get asks(): number {
		return this.#asks;
	}

	async #authorize(details: unknown, query: Query, log: LinkLog): Promise<Verdict> {
		const begin = performance.now();
		this.#asks++;
		let answer: LinkAnswer;
		try {
			answer = await this.#answer(details, query, log);
		} catch (error) {
			answer = { verdict: "defer", code: "host-pi:no-answer", reason: messageOf(error) };
		}
		try {
			const outcome = answer.verdict;
			const why = answer.verdict === "allow" ? undefined : answer.reason;
			const ms = performance.now() - begin;
			this.#history.add({ mode: "link", command: commandOf(details), outcome, code: answer.code, ms, ...(why && { why }) });
		} catch {
			// What cannot be shown is still answered.
		}
		if (answer.verdict === "allow") return { kind: "allow" };
		if (answer.verdict === "deny") return { kind: "deny", reason: answer.reason };
		return DEFER;
	}

	async #answer(details: unknown, query: Query, log: LinkLog): Promise<LinkAnswer> {
		if (!this.#shell.isBash) return { verdict: "defer", code: "host-pi:other-shell" };
		const signal = this.#context.signal;
		const text = JSON.stringify(details);
		const requestId = (JSON.parse(text) as { requestId?: unknown } | null)?.requestId;
		const sessionId = wellFormed(this.#context.sessionManager.getSessionId());
		const params = { details: text, owner: this.#owner, sessionId, evidence: "payload" };
		const host = this.#calls(query, log);
		const answer = readLinkAnswer(await this.#engine.ask("link/authorize", params, { signal, host }));
		if (answer.verdict === "defer") return answer;
		// A decisive verdict answers this request, in this session, for a registration that still stands.
		if (answer.requestId !== requestId) throw new Nonsense("the answer is for another request");
		if (!this.registered || this.#context.sessionManager.getSessionId() !== this.#owner) {
			return { verdict: "defer", code: "authorizer:session-changed" };
		}
		if (signal?.aborted) return { verdict: "defer", code: "host-pi:aborted" };
		return answer;
	}

	#calls(query: Query, log: LinkLog): HostCalls {
		return {
			"host/sessionId": () => wellFormed(this.#context.sessionManager.getSessionId()),
			"host/sessionEntries": () => JSON.stringify(this.#context.sessionManager.getEntries()),
			"host/checkPermission": ({ surface, value, agent }) => {
				const agentName = typeof agent === "string" ? agent : undefined;
				return permission(query.checkPermission(String(surface), String(value), agentName));
			},
			"host/log": ({ level, event, data }) => {
				const write = level === "review" ? log.review : log.debug;
				write.call(log, String(event), data as object);
			},
		};
	}
}

/** The fields of the policy's answer that the engine reads. */
function permission(answer: unknown): object {
	if (typeof answer !== "object" || answer === null || answer instanceof Promise) {
		throw new Error("the policy gave no answer");
	}
	const fields = answer as { [name: string]: unknown };
	const texts = ["state", "reason", "matchedPattern", "source", "origin"].flatMap((name) => {
		const value = fields[name];
		return typeof value === "string" ? [[name, wellFormed(value)]] : [];
	});
	return Object.fromEntries(texts);
}

function commandOf(details: unknown): string {
	const command = (details as { command?: unknown } | null)?.command;
	return typeof command === "string" ? command : "(no command)";
}
