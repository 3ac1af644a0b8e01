// Stops of answers, in every process. Whatever works on an answer follows it here: deliveries and
// calls of models. The row of the delivery (`stopped_at`) is authoritative; a note tells the other
// processes.
import { Stoppable } from '@botstead/lib'
import type { Publish } from './bus.ts'

/** The answer to an event, which a delivery brings to the bot. */
interface StoppedAnswer {
  botId: string
  conversationId: string
  eventId: string
  deliveryId: string
}

type StopNote = { kind: 'stop' } & StoppedAnswer

interface Followed {
  botId: string
  /** Null if unknown; then all stops of the conversation count. */
  eventId: string | null
  conversationId: string | null
  /** Set for the delivery itself. Another delivery of the event is not stopped. */
  deliveryId?: string
}

/** Work on an answer; `key` is null if nothing is known that could stop it. */
class Work extends Stoppable {
  readonly key: string | null
  constructor(key: string | null) {
    super()
    this.key = key
  }
}

const maxStopped = 10_000

export class Stops {
  readonly #notify: Publish
  readonly #followed = new Map<string, Set<Work>>()
  /** The stopped delivery of each event, for calls that come later. */
  readonly #stopped = new Map<string, string>()

  constructor(notify: Publish) {
    this.#notify = notify
  }

  /** Follows an answer until `unfollow`. The work may be stopped already. */
  follow({ botId, eventId, conversationId, deliveryId }: Followed): Work {
    const name = eventId ?? conversationId
    const work = new Work(name === null ? null : `${botId} ${name}`)
    if (work.key === null) return work
    const stopped = this.#stopped.get(work.key)
    if (stopped !== undefined && deliveryId !== undefined && deliveryId !== stopped)
      this.#stopped.delete(work.key)
    else if (stopped !== undefined) work.stop()
    const others = this.#followed.get(work.key)
    if (others) others.add(work)
    else this.#followed.set(work.key, new Set([work]))
    return work
  }

  unfollow(work: Work): void {
    if (work.key === null) return
    const all = this.#followed.get(work.key)
    if (all?.delete(work) && all.size === 0) this.#followed.delete(work.key)
  }

  /** Whether the answer to the event was stopped. */
  isStopped(botId: string, eventId: string | null): boolean {
    return (
      this.#stopped.size > 0 &&
      eventId !== null &&
      this.#stopped.has(`${botId} ${eventId}`)
    )
  }

  /** Stops the answer, in every process. */
  stop(answer: StoppedAnswer): void {
    this.#stopHere(answer)
    const note: StopNote = { kind: 'stop', ...answer }
    this.#notify(() => JSON.stringify(note), { isVital: true })
  }

  /** Handles a note of another process. */
  receive(note: StopNote): void {
    this.#stopHere(note)
  }

  #stopHere({ botId, conversationId, eventId, deliveryId }: StoppedAnswer): void {
    const key = `${botId} ${eventId}`
    this.#stopped.delete(key)
    this.#stopped.set(key, deliveryId)
    if (this.#stopped.size > maxStopped)
      this.#stopped.delete(this.#stopped.keys().next().value!)
    for (const one of [key, `${botId} ${conversationId}`])
      for (const work of [...(this.#followed.get(one) ?? [])]) work.stop()
  }
}
