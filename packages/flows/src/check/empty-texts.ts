// Warns of messages and questions without words: users would see an empty message.
import type { FlowDocument } from '../document/document.ts'
import type { Problem } from '../document/problems.ts'
import { findInFlows, once } from './known-parts.ts'
import { textsIn } from './variable-names.ts'

const said = /\/cards\/\d+\/(?:message|question)$/

export const checkEmptyTexts = ({ flows }: FlowDocument): Problem[] =>
  findInFlows(flows, findEmpty).map((pointer) => ({
    pointer,
    message: 'is empty. Write what the bot says',
  }))

const findEmpty = once((part: unknown) =>
  textsIn('', part)
    .filter(([pointer, text]) => said.test(pointer) && text.trim() === '')
    .map(([pointer]) => pointer),
)
