// JSON-RPC 2.0 over lines: one object each, in both directions.

import { Nonsense, object } from "./protocol.ts";

/** Answers what the sidecar asks; it throws where it cannot. */
export type Serve = (method: string, params: unknown) => unknown;

/** The sidecar answered a request with an error. */
export class Refused extends Error {
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.code = code;
	}
}

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };

const LONGEST_LINE = 16 * 1024 * 1024;

/** The sidecar at the other end of a pair of pipes. */
export class Peer {
	readonly #write: (line: string) => void;
	readonly #serve: Serve;
	readonly #waiting = new Map<number, Waiting>();
	#next = 1;
	#rest: Buffer[] = [];
	#length = 0;

	constructor(write: (line: string) => void, serve: Serve) {
		this.#write = write;
		this.#serve = serve;
	}

	/** Sends a request; the promise settles when it is answered, given up, or the peer is closed. */
	request(method: string, params: object): { id: number; answer: Promise<unknown> } {
		const id = this.#next++;
		const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
		this.#send({ id, method, params });
		return { id, answer };
	}

	/** Gives a request up: its answer is no longer wanted. */
	cancel(id: number, error: Error): void {
		const waiting = this.#waiting.get(id);
		if (!waiting) return;
		this.#waiting.delete(id);
		waiting.reject(error);
		this.#send({ method: "$/cancelRequest", params: { id } });
	}

	/** Gives every request up. */
	close(error: Error): void {
		for (const waiting of this.#waiting.values()) waiting.reject(error);
		this.#waiting.clear();
	}

	/**
	 * Takes bytes that the sidecar wrote.
	 *
	 * @throws Nonsense where they are no line of the protocol.
	 */
	take(chunk: Buffer): void {
		let begin = 0;
		for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
			const line = Buffer.concat([...this.#rest, chunk.subarray(begin, end)]).toString("utf8");
			this.#rest = [];
			this.#length = 0;
			begin = end + 1;
			if (line.trim() !== "") this.#line(line);
		}
		this.#rest.push(chunk.subarray(begin));
		this.#length += chunk.length - begin;
		if (this.#length > LONGEST_LINE) throw new Nonsense("a line without an end");
	}

	#line(line: string): void {
		let message: { [name: string]: unknown };
		try {
			message = object(JSON.parse(line), "the line");
		} catch {
			throw new Nonsense("a line that is no JSON object");
		}
		if (message["jsonrpc"] !== "2.0") throw new Nonsense("a line that is no JSON-RPC");
		if (typeof message["method"] === "string") this.#asked(message["method"], message["id"], message["params"]);
		else this.#answered(message);
	}

	#asked(method: string, id: unknown, params: unknown): void {
		let outcome: object;
		try {
			outcome = { result: this.#serve(method, params) };
		} catch (error) {
			const code = error instanceof Refused ? error.code : -32603;
			outcome = { error: { code, message: wellFormed(messageOf(error)) } };
		}
		if (id !== undefined && id !== null) this.#send({ id, ...outcome });
	}

	#answered(message: { [name: string]: unknown }): void {
		if (message["id"] === null) throw new Nonsense("the engine could not read a line");
		const waiting = this.#waiting.get(Number(message["id"]));
		// An answer to what was given up comes late, and that is no fault.
		if (!waiting) return;
		this.#waiting.delete(Number(message["id"]));
		if ("error" in message) {
			const error = object(message["error"], "the error");
			waiting.reject(new Refused(Number(error["code"]), String(error["message"])));
		} else if ("result" in message) waiting.resolve(message["result"]);
		else waiting.reject(new Nonsense("an answer without a result"));
	}

	#send(message: object): void {
		this.#write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	}
}

/** The text without lone surrogates, which JSON parsers reject. */
export function wellFormed(text: string): string {
	return text.toWellFormed();
}

/** What an exception says. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
