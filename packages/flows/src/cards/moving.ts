// Cards that select the next node, set variables or run code.

import { runCode } from '../code/code.ts'
import { variableError } from '../document/variables.ts'
import type { Json } from '../engine/platform.ts'
import { getFlow, newFrame } from '../engine/position.ts'
import {
  fillHere,
  getCodeTimeout,
  isTrue,
  scriptAt,
  setVariable,
  toPointer,
  toSurroundings,
} from '../engine/turn.ts'
import { withTracedChanges } from '../tracing/traced-changes.ts'
import type { CardKind } from './card.ts'

export const transition: CardKind<'transition'> = {
  perform: async (turn, { when, to }) =>
    (await isTrue(turn, when)) ? { goTo: to } : undefined,
}

export const goTo: CardKind<'goTo'> = { perform: (_turn, { to }) => ({ goTo: to }) }

export const callFlow: CardKind<'callFlow'> = {
  async perform(turn, { flow, inputs = {}, outputs }) {
    const { document } = turn.engine.program
    const given = (await fillHere(turn, inputs)) as Json
    for (const [name, value] of Object.entries(given)) {
      const refused = variableError(
        getFlow(document, flow).inputs ?? {},
        'workflow',
        name,
        value,
      )
      if (refused) throw new TypeError(refused)
    }
    return {
      calls: {
        ...newFrame(document, flow, { inputs: given }),
        ...(outputs && { outputs }),
      },
    }
  },
}

export const set: CardKind<'set'> = {
  async perform(turn, { variable, value }) {
    setVariable(turn, variable, await fillHere(turn, value))
  },
}

export const code: CardKind<'code'> = {
  hasSideEffects: true,
  async perform(turn, _card, frame) {
    const script = scriptAt(turn, `${toPointer(frame)}/code`)
    await withTracedChanges(turn, () =>
      runCode(script, toSurroundings(turn), getCodeTimeout(turn)),
    )
  },
}

export const inactivityTimeout: CardKind<'inactivityTimeout'> = {
  perform(turn, { seconds }) {
    turn.remembered.inactivity = seconds
    return undefined
  },
}
