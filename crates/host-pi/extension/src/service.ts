// The permission service of pi-permission-system, as far as a link needs it. There is no dependency on its package.

/** The channel on which a permission system says that its service is published. */
export const READY = "permissions:ready";

const SLOT = Symbol.for("@gotgenes/pi-permission-system:service");

/** What a link answers. */
export type Verdict = { kind: "allow" } | { kind: "deny"; reason: string } | { kind: "defer" };

/** The read-only view of the policy that a link is given with each ask. */
export type Query = { checkPermission(surface: string, value?: string, agentName?: string): unknown };

/** The log that a link is given with each ask. */
export type LinkLog = { review(event: string, details: object): void; debug(event: string, details: object): void };

/** A link of the authorizer chain. */
export type Authorize = (details: unknown, query: Query, log: LinkLog) => Promise<Verdict>;

/** The part of the service a link registers with; permission systems before 25 have none. */
export type Service = { registerAuthorizer?: (name: string, authorize: Authorize) => () => void };

/** The service that is published in this process, if there is one. */
export function publishedService(): Service | undefined {
	const service = (globalThis as { [slot: symbol]: unknown })[SLOT];
	return typeof service === "object" && service !== null ? (service as Service) : undefined;
}
