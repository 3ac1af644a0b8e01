/** The installation that a request to a shared address selects, and headers for its integration. */
export interface SharedTarget {
  webhookId: string
  headers?: Record<string, string>
  /** Runs after the integration has responded. */
  afterResponse?: () => Promise<void>
}
