// Carries payloads (texts of at most 8,000 bytes) between the processes on one database. Bus is the
// only user. Implementations: PostgresChannel and NatsChannel.

export interface ChannelListeners {
  /** Called for payloads of other processes, possibly also for own ones. */
  onPayload: (payload: string) => void
  /** Called when the connection is lost, and possibly again until it is restored. */
  onLost: () => void
  /** Called when listening again. Payloads sent meanwhile were missed. */
  onRestored: () => void
}

export interface Channel {
  /** Whether payloads can be sent now. */
  readonly isOpen: boolean
  /** Receives payloads from now on, also after the connection is lost. */
  listen(listeners: ChannelListeners): Promise<void>
  send(payloads: string[]): Promise<void>
  close(): Promise<void>
}
