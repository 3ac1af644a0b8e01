// The events of an open stream of text.
import type { Model } from '../providers/catalog.ts'
import type { ModelFailure } from '../providers/failures.ts'
import type { TextCall, TextEvent } from './call.ts'
import type { Attempt } from './chain.ts'
import { collectPart, nextPart, type OpenStream } from './text.ts'

export interface Opened extends OpenStream {
  attempt: Attempt
  rest: Model[]
  idleMs: number
}

export async function* streamEvents(
  open: Opened,
  call: TextCall,
): AsyncGenerator<TextEvent, void> {
  const { reader, attempt } = open
  const { id: model } = attempt.model
  for (let part = open.first; ; ) {
    for (const piece of collectPart(open, part)) {
      if (piece.type !== 'restart') yield { ...piece, model }
      // Other readers cannot discard text; the thought stays in it.
      else if (call.midStreamFallback) yield thoughtEvent(model)
    }
    if (part.type === 'finish') return
    attempt.within(open.idleMs)
    part = await attempt.race(nextPart(reader, attempt))
  }
}

const thoughtEvent = (model: string): TextEvent => ({
  type: 'restart',
  attempt: 1,
  fromModel: model,
  toModel: model,
  reason: 'thought',
})

export const restartEvent = (
  attempt: number,
  { model: fromModel, kind: reason }: ModelFailure,
  { id: toModel }: Model,
): TextEvent => ({ type: 'restart', attempt, fromModel, toModel, reason })
