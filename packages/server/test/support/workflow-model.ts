// A model of workflows: status, pending events in the lane, and deliveries to the bot.
export type Status =
  | 'pending'
  | 'in_progress'
  | 'listening'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'timedout'
  | 'cancelled'
const finished: Status[] = ['completed', 'failed', 'timedout', 'cancelled']

interface Item {
  kind: string
}
const isStep = ({ kind }: Item) =>
  kind === 'workflow_started' || kind === 'workflow_continued'
/** An event that is delivered whatever the status of the workflow. */
const isAlwaysTold = ({ kind }: Item) => kind === 'poke' || kind === 'workflow_timedout'

export class ModelWorkflow {
  status: Status
  parent: ModelWorkflow | null
  isGone = false
  /** Deliveries in order; the last one is being handled while `running` is set. */
  readonly told: string[] = []
  running: Item | null = null
  readonly #queue: Item[] = []
  /** A step is pending or being handled. */
  #step: Item | null = null
  /** Another event; its handler processes the workflow. */
  #handledIn: Item | null = null
  #retriggers = 0

  constructor(status: 'pending' | 'listening', parent: ModelWorkflow | null) {
    this.status = status
    this.parent = parent
    if (status === 'pending') this.#proceed('workflow_started')
  }

  get isFinished() {
    return finished.includes(this.status)
  }

  poke() {
    this.#enqueue({ kind: 'poke' })
  }

  /** Returns false for an invalid change. `isFromHandler`: the request names the running event. */
  move(next: Status, isFromHandler: boolean): boolean {
    if (
      this.isFinished &&
      next !== this.status &&
      !(this.status === 'timedout' && (next === 'failed' || next === 'completed'))
    )
      return false
    const was = this.isFinished
    this.status = next
    this.#retriggers = 0
    if (next !== 'in_progress') this.#handledIn = null
    if (this.isFinished) this.#end(was)
    else if (next === 'in_progress' && !this.#step && isFromHandler)
      this.#handledIn = this.running
    else if (next === 'in_progress' && !this.#step && !this.#handledIn)
      this.#proceed('workflow_continued')
    return true
  }

  /** The bot has responded. */
  answered(isGood: boolean) {
    const item = this.running!
    this.running = null
    if (!this.isGone && !this.isFinished) this.#proceedAfter(item, isGood)
    this.#next()
  }

  timeOut() {
    if (this.isFinished) return
    this.status = 'timedout'
    this.#end(false)
    this.#enqueue({ kind: 'workflow_timedout' })
  }

  remove() {
    this.isGone = true
    this.#queue.length = 0
    if (this.parent && !this.parent.isGone && !this.parent.isFinished)
      this.parent.#enqueue({ kind: 'child_workflow_deleted' })
  }

  #proceedAfter(item: Item, isGood: boolean) {
    const isOurs = item === this.#step || item === this.#handledIn
    const isListening = this.status === 'listening' && !this.#step && !this.#handledIn
    if (item === this.#step) this.#step = null
    if (item === this.#handledIn) this.#handledIn = null
    if (isOurs && !isGood) return this.#fail()
    if (isOurs && this.status === 'pending')
      return this.#retriggers++ < 3 ? this.#proceed('workflow_started') : this.#fail()
    if ((isOurs && this.status === 'in_progress') || (!isStep(item) && isListening))
      this.#proceed('workflow_continued')
  }

  #fail() {
    this.status = 'failed'
    this.#end(false)
  }

  #end(wasFinished: boolean) {
    this.#step = null
    this.#handledIn = null
    const { parent } = this
    if (!wasFinished && parent && !parent.isGone && !parent.isFinished)
      parent.#enqueue({ kind: 'child_workflow_finished' })
  }

  #proceed(kind: 'workflow_started' | 'workflow_continued') {
    this.#step = { kind }
    this.#enqueue(this.#step)
  }

  #enqueue(item: Item) {
    this.#queue.push(item)
    this.#next()
  }

  #next() {
    while (!this.running && this.#queue.length > 0) {
      const item = this.#queue.shift()!
      if (this.isFinished && !isAlwaysTold(item)) continue
      this.running = item
      this.told.push(item.kind)
    }
  }
}
