// Wizards of earlier versions wrote days in the language of the document, also in bots of several languages.
// Their code, exactly as they made it, writes days in the language of the answer. Documents stay as they are.
import type { Card } from './card-shapes.ts'
import type { FlowDocument, FlowNode } from './document.ts'
import type { Program } from './program.ts'

const inCode = String.raw`\n  \.toLocaleString\(\{ weekday: 'long', day: 'numeric', month: 'long' \}\)`
const inText =
  String.raw`\.toLocaleString\(\{ weekday: "long", day: "numeric", month: "long", ` +
  String.raw`hour: "2-digit", minute: "2-digit", hourCycle: "h23" \}\)`
const locale = new RegExp(
  String.raw`\.setLocale\((?:user\.locale \?\? )?("[A-Za-z0-9-]+")\)(?=${inCode}|${inText})`,
  'g',
)

const renew = (text: string) => text.replace(locale, '.setLocale(language ?? $1)')

/** Returns the program with the code of earlier wizards as today's write it. */
export function renewWizardDates(program: Program): Program {
  const { document, scripts } = program
  if (!document.languages) return program
  const renewed = Object.entries(scripts).map(([pointer, { code, file }]) => [
    pointer,
    { code: renew(code), file },
  ])
  return { document: renewCards(document), scripts: Object.fromEntries(renewed) }
}

const mapValues = <Value>(map: Record<string, Value>, change: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]))

const renewCards = (document: FlowDocument): FlowDocument => ({
  ...document,
  flows: mapValues(document.flows, (flow) => ({
    ...flow,
    nodes: mapValues(flow.nodes, renewNode),
  })),
})

const renewNode = (node: FlowNode): FlowNode =>
  node.cards ? { ...node, cards: node.cards.map(renewCard) } : node

const renewCard = (card: Card): Card =>
  card.type === 'set' && typeof card.value === 'string'
    ? { ...card, value: renew(card.value) }
    : card
