// Traces of turns. The server stores them as observations; `botstead trace` shows them. Their size
// is limited, and they contain no configuration.
import { CodeError } from '../code/code-error.ts'
import type { ScopeName } from '../code/surroundings.ts'
import type { BotEvent } from '../engine/event-types.ts'

/** Name of the observation of a turn. Its `id` is the id of the event. */
export const turnObservation = 'flows.turn'

type Step =
  | { kind: 'node'; flow: string; node: string }
  | {
      kind: 'card'
      type: string
      index: number
      name?: string
      when?: string
      to?: string
    }
  | { kind: 'hook'; hook: string; name?: string }
  | { kind: 'said'; type: string; text: string }
  | { kind: 'heard'; value: string }
  | { kind: 'call'; what: string; search?: TracedSearch }
  | ({ kind: 'model'; model: string } & Partial<ModelUse>)
  | { kind: 'tool'; tool: string; input: string }
  | { kind: 'set'; variable: string; from: string; to: string }
  | { kind: 'note'; text: string; curatedAnswer?: { id: string; question: string } }

/** A search of knowledge bases, with its passages in their order. */
export interface TracedSearch {
  query: string
  limit: number
  /** The minimum score of the card, or the default: passages with a lower score were found, but not used. */
  minScore: number
  hasOwnMinScore: boolean
  /** Ids of the knowledge bases. */
  knowledgeBases: string[]
  passages: TracedPassage[]
}

interface TracedPassage {
  fileId: string
  fileKey: string
  page?: number
  score: number
  /** The minimum score of the passage's knowledge base, which replaces the other one. */
  minScore?: number
}

/** `cost` is in US dollars; `cached` if the reply was repeated without a call of the provider. */
interface ModelUse {
  model: string
  inputTokens: number
  outputTokens: number
  cost: number
  cached?: boolean
}

/** `at` and `ms` are in milliseconds; `at` counts from the start of the turn. */
export type TracedStep = Step & { at: number; ms?: number; outcome?: string }

interface Trouble {
  /** Names the hook, card or action. */
  where: string
  message: string
}

export interface TurnTrace {
  event: { id: string; type: string; direction: string; preview: string }
  startedAt: string
  ms: number
  outcome: 'done' | 'failed' | 'stopped'
  steps: TracedStep[]
  /** The node at which the conversation waits, or which ran last. */
  position?: { flow: string; node: string }
  /** Number of steps beyond the limit. */
  left?: number
  troubles: Trouble[]
  /** The error that ended the turn: the event's delivery reports it. */
  failure?: string
}

const maxSteps = 400
const maxTroubles = 20
const maxTextLength = 300

export interface Trace {
  /** Adds a step without a duration. */
  note(step: Step): void
  /** Adds a step that `end` completes. */
  begin(step: Step): {
    end(more?: { outcome?: string; search?: TracedSearch } & Partial<ModelUse>): void
  }
  /** Adds a call with its duration and error; of a search, also the result. */
  call<Value>(
    what: string,
    calling: Promise<Value>,
    toSearch?: (value: Value) => TracedSearch,
  ): Promise<Value>
  /** Adds the changed variables of a scope. */
  changes(
    scope: ScopeName,
    before: Record<string, unknown>,
    after: Record<string, unknown>,
  ): void
  /** Adds an error, which becomes an issue of the bot. */
  trouble(where: string, error: unknown): void
  /** Returns the trace. */
  toTurnTrace(outcome: TurnTrace['outcome'], failure?: unknown): TurnTrace
}

/**
 * Starts a trace. It shows the event as it is at the end, so that text that a hook redacts never
 * appears.
 */
export function openTrace(
  event: Pick<BotEvent, 'id' | 'type' | 'direction' | 'preview'>,
  now: () => number = Date.now,
): Trace {
  const startedAt = now()
  const steps: TracedStep[] = []
  const troubles: Trouble[] = []
  let left = 0
  const add = (step: Step): TracedStep => {
    const traced = { ...shortened(step), at: now() - startedAt }
    if (steps.length < maxSteps) steps.push(traced)
    else left += 1
    return traced
  }
  const begin: Trace['begin'] = (step) => {
    const traced = add(step)
    return {
      end({ outcome, ...use } = {}) {
        Object.assign(traced, use)
        traced.ms = now() - startedAt - traced.at
        if (outcome !== undefined) traced.outcome = short(outcome)
      },
    }
  }
  return {
    note: (step) => void add(step),
    begin,
    async call(what, calling, toSearch) {
      const step = begin({ kind: 'call', what })
      try {
        const value = await calling
        step.end(toSearch && { search: toSearch(value) })
        return value
      } catch (error) {
        step.end({ outcome: error instanceof Error ? error.message : 'failed' })
        throw error
      }
    },
    changes(scope, before, after) {
      // Traces must not contain the configuration.
      if (scope === 'env') return
      for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const [from, to] = [shown(before[name]), shown(after[name])]
        if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
          add({ kind: 'set', variable: `${scope}.${name}`, from, to })
      }
    },
    trouble(where, error) {
      if (troubles.length < maxTroubles)
        troubles.push({ where: short(where), message: toTrouble(error) })
    },
    toTurnTrace: (outcome, failure) => ({
      event: {
        id: event.id,
        type: event.type,
        direction: event.direction,
        preview: short(event.preview),
      },
      startedAt: new Date(startedAt).toISOString(),
      ms: now() - startedAt,
      outcome,
      steps,
      troubles,
      ...(failure !== undefined && { failure: toTrouble(failure) }),
      ...(left && { left }),
    }),
  }
}

const short = (text: string) =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text

const shown = (value: unknown) =>
  value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))

const shortened = (step: Step): Step =>
  Object.fromEntries(
    Object.entries(step).map(([name, value]) => [
      name,
      typeof value === 'string' ? short(value) : value,
    ]),
  ) as unknown as Step

const toTrouble = (error: unknown) =>
  (error instanceof CodeError || error instanceof Error
    ? error.message
    : String(error)
  ).slice(0, 4_000)
