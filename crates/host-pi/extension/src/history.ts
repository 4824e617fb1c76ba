// The last decisions, for `/innercmd`.

import { printable } from "./text.ts";

/** One decision, and why. */
export type Decision = { mode: "link" | "gate"; command: string; outcome: string; code: string; why?: string; ms: number };

const KEPT = 20;

/** The last decisions of a session, the newest last. */
export class History {
	readonly #decisions: (Decision & { at: Date })[] = [];

	add(decision: Decision): void {
		this.#decisions.push({ ...decision, at: new Date() });
		if (this.#decisions.length > KEPT) this.#decisions.shift();
	}

	/** One line each. */
	lines(): string[] {
		return this.#decisions.map(({ at, mode, command, outcome, code, why, ms }) => {
			const time = at.toTimeString().slice(0, 8);
			const reason = why ? ` (${printable(why, 160)})` : "";
			return `${time} ${mode} ${outcome}: ${printable(command, 80)}  ${code}${reason}  ${ms.toFixed(1)} ms`;
		});
	}
}
