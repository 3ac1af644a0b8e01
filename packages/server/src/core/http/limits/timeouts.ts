// Time-outs for callers, in milliseconds. Tests use shorter ones.
export interface Timeouts {
  /** For the headers of a request. */
  headers: number
  /** Between two chunks of a body. */
  idle: number
  /** For a whole body. Content of files has its own limit (core/files/api/files/content.ts). */
  body: number
  /**
   * For the rest of a rejected body, which is read so that the client receives the response instead
   * of a broken connection.
   */
  rest: number
  /** Between two checks of the minimum speed of a body that occupies memory for long. */
  pace: number
}

/**
 * Minimum speed of bodies, and of readers of responses, that occupy a shared capacity. Slow networks
 * are faster.
 */
export const minBytesPerSecond = 32_768

export const defaultTimeouts: Timeouts = {
  headers: 10_000,
  idle: 60_000,
  body: 300_000,
  rest: 5_000,
  pace: 10_000,
}
