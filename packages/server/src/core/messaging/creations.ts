// Creation of conversations and users at the third party of an integration, as core/delivery/creations.ts
// implements it.

/** The `creation` settings of a channel, or of the integration for its users. */
interface Creation {
  enabled?: boolean
  requiredTags?: string[]
}

interface CreationRequest {
  botId: string
  alias: string
  what: 'conversation' | 'user'
  channel?: string
  tags: Record<string, string | null>
  cause: string | null
  fence: string | null
}

/**
 * Calls the integration, which creates the row through the API, and returns the row that `find`
 * returns for its id. Throws InvalidPayload if tags are missing or the integration created nothing.
 * Errors of the integration are passed on as for actions.
 */
export type CreateThroughIntegration = <Row>(
  services: { announceCodeCall: () => void },
  creation: Creation,
  wanted: CreationRequest,
  find: (id: string) => Promise<Row>,
) => Promise<Row>
