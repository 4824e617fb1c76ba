// Keeps one sidecar process: starts it when it is needed, ends it with the session, and never waits for it for long.

import { type ChildProcess, spawn } from "node:child_process";
import { type Found, findBinary } from "./binary.ts";
import { Nonsense, PROTOCOL, readInitialized } from "./protocol.ts";
import { messageOf, Peer, Refused } from "./rpc.ts";

/** What the sidecar may ask while a question is open. */
export type HostCalls = { [method: string]: (params: { [name: string]: unknown }) => unknown };

/** How a question is asked. */
export type Terms = { signal?: AbortSignal | undefined; host?: HostCalls; deadlineMs?: number };

/** The engine gave no answer, and why. */
export class NoAnswer extends Error {}

type Running = {
	child: ChildProcess;
	peer: Peer;
	asks: Map<number, HostCalls>;
	ready: Promise<string>;
	exited: Promise<void>;
};

const HANDSHAKE_MS = 3000;
/** How much longer than the engine this side waits; a frozen engine cannot keep its own deadline. */
const GRACE_MS = 250;
/** How many times in a row the process may fail before it is left alone until the next session. */
const MOST_FAILURES = 5;

/** How long a question may take, in milliseconds; INNERCMD_DEADLINE_MS changes it. */
export function deadlineMs(environment: NodeJS.ProcessEnv = process.env): number {
	const wanted = Number(environment["INNERCMD_DEADLINE_MS"]);
	return Number.isFinite(wanted) && wanted >= 1 && wanted <= 60_000 ? wanted : 5000;
}

/** The sidecar of one session. */
export class Engine {
	#running: Running | undefined;
	#failures = 0;
	#closed = false;
	#lastError: string | undefined;
	#version: string | undefined;
	#started = 0;
	readonly #onStart: (engine: Engine) => Promise<void>;

	/** `onStart` runs once for each process, before its first question. */
	constructor(onStart: (engine: Engine) => Promise<void> = async () => {}) {
		this.#onStart = onStart;
	}

	/**
	 * Asks the sidecar, and starts it where it does not run.
	 *
	 * @throws NoAnswer or Refused whatever goes wrong; nothing that goes wrong takes longer than the deadline.
	 */
	async ask(method: string, params: object, terms: Terms = {}): Promise<unknown> {
		if (terms.signal?.aborted) throw new NoAnswer("aborted");
		const limit = terms.deadlineMs ?? deadlineMs();
		const begin = performance.now();
		const running = await this.#start(terms.signal);
		const left = Math.max(1, Math.round(limit - (performance.now() - begin)));
		const answer = await this.#question(running, method, { ...params, deadlineMs: left }, { ...terms, deadlineMs: left });
		this.#failures = 0;
		return answer;
	}

	/** Asks without starting a process or a handshake of its own; for `onStart`. */
	async askNow(method: string, params: object): Promise<unknown> {
		if (!this.#running) throw new NoAnswer("the engine does not run");
		return this.#question(this.#running, method, params, { deadlineMs: HANDSHAKE_MS });
	}

	/** Ends the process, and waits until it is gone. */
	async close(): Promise<void> {
		this.#closed = true;
		const running = this.#running;
		if (!running) return;
		running.peer.close(new NoAnswer("the session ends"));
		running.child.stdin?.end();
		const patience = setTimeout(() => running.child.kill("SIGKILL"), 500);
		await running.exited;
		clearTimeout(patience);
	}

	/** What can be said of the engine, for people. */
	describe(): string {
		const found = findBinary();
		if (found.path === undefined) return `missing: ${found.problem}`;
		const where = `${found.path} (from ${found.from})`;
		const state = this.#running ? `running, version ${this.#version ?? "unknown"}` : "not running";
		const starts = this.#started > 1 ? `, started ${this.#started} times` : "";
		return `${state}${starts}; ${where}${this.#lastError ? `; last failure: ${this.#lastError}` : ""}`;
	}

	async #start(signal: AbortSignal | undefined): Promise<Running> {
		if (this.#closed) throw new NoAnswer("the session has ended");
		if (!this.#running) {
			if (this.#failures >= MOST_FAILURES) {
				throw new NoAnswer(`the engine failed ${this.#failures} times (${this.#lastError}); /reload tries again`);
			}
			const found = findBinary();
			if (found.path === undefined) throw new NoAnswer(found.problem);
			this.#running = this.#spawn(found);
		}
		const running = this.#running;
		const aborted = new NoAnswer("aborted");
		let stop = (): void => {};
		const abort = new Promise<never>((_, reject) => {
			stop = () => reject(aborted);
			signal?.addEventListener("abort", stop, { once: true });
		});
		try {
			await Promise.race([running.ready, abort]);
		} finally {
			signal?.removeEventListener("abort", stop);
		}
		return running;
	}

	#spawn(found: Found & { path: string }): Running {
		this.#started++;
		// The engine needs nothing of the environment, so it gets nothing.
		const child = spawn(found.path, [], { stdio: ["pipe", "pipe", "ignore"], env: {}, cwd: "/", windowsHide: true });
		const asks = new Map<number, HostCalls>();
		const peer = new Peer(
			(line) => child.stdin.write(line),
			(method, params) => serve(asks, method, params),
		);
		const killWithPi = (): void => {
			child.kill("SIGKILL");
		};
		process.once("exit", killWithPi);
		const exited = new Promise<void>((resolve) => {
			const over = (what: string): void => {
				process.removeListener("exit", killWithPi);
				if (this.#running?.child === child) this.#fail(what);
				peer.close(new NoAnswer(what));
				resolve();
			};
			child.once("error", (error) => over(`the engine cannot be started: ${error.message}`));
			child.once("exit", (code, by) => over(`the engine ended (${by ?? `status ${code}`})`));
		});
		// A broken pipe is followed by `exit`, which says it better.
		child.stdin.on("error", () => {});
		child.stdout.on("data", (chunk: Buffer) => {
			try {
				peer.take(chunk);
			} catch (error) {
				this.#kill(child, `the engine talks nonsense: ${messageOf(error)}`);
			}
		});
		const running: Running = { child, peer, asks, exited, ready: Promise.resolve("") };
		running.ready = this.#greet(running);
		// Whoever asks sees the failure; nobody has to.
		running.ready.catch(() => {});
		return running;
	}

	async #greet(running: Running): Promise<string> {
		try {
			const hello = { protocol: PROTOCOL, client: { name: "innercmd-pi-extension", version: "0.1.0" } };
			const version = readInitialized(await this.#question(running, "initialize", hello, { deadlineMs: HANDSHAKE_MS }));
			this.#version = version;
			await this.#onStart(this);
			return version;
		} catch (error) {
			this.#kill(running.child, messageOf(error));
			throw new NoAnswer(messageOf(error));
		}
	}

	async #question(running: Running, method: string, params: object, terms: Terms): Promise<unknown> {
		const { id, answer } = running.peer.request(method, params);
		if (terms.host) running.asks.set(id, terms.host);
		const abort = (): void => running.peer.cancel(id, new NoAnswer("aborted"));
		terms.signal?.addEventListener("abort", abort, { once: true });
		const late = setTimeout(
			() => {
				running.peer.cancel(id, new NoAnswer("the engine did not answer in time"));
				this.#kill(running.child, "the engine did not answer in time");
			},
			(terms.deadlineMs ?? HANDSHAKE_MS) + GRACE_MS,
		);
		try {
			return await answer;
		} catch (error) {
			if (error instanceof Nonsense) this.#kill(running.child, messageOf(error));
			throw error instanceof Refused || error instanceof NoAnswer ? error : new NoAnswer(messageOf(error));
		} finally {
			clearTimeout(late);
			terms.signal?.removeEventListener("abort", abort);
			running.asks.delete(id);
		}
	}

	#kill(child: ChildProcess, why: string): void {
		if (this.#running?.child === child) this.#fail(why);
		// SIGKILL also ends a process that is stopped.
		child.kill("SIGKILL");
	}

	#fail(why: string): void {
		const running = this.#running;
		this.#running = undefined;
		if (this.#closed) return;
		this.#failures++;
		this.#lastError = why;
		running?.peer.close(new NoAnswer(why));
	}
}

function serve(asks: Map<number, HostCalls>, method: string, params: unknown): unknown {
	const fields = (typeof params === "object" && params !== null ? params : {}) as { [name: string]: unknown };
	const host = asks.get(Number(fields["ask"]));
	if (!host) throw new Refused(-32800, "the question is no longer open");
	const call = Object.hasOwn(host, method) ? host[method] : undefined;
	if (!call) throw new Refused(-32601, "no such method");
	return call(fields);
}
