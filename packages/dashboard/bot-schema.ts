// Schemas of the forms of the page Flows, which the browser gets as JSON.
import {
  AgentNode,
  cardShapes,
  Flow,
  Hook,
  messageNeeds,
  PlainNode,
  Settings,
  Trigger,
  Variable,
} from '@botstead/flows'

/** Cards and nodes have their own forms inside of a flow or node. */
export const toBotSchema = () => {
  const without = ({ properties, ...schema }: { properties: object }, name: string) => ({
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([each]) => each !== name),
    ),
  })
  return {
    cards: cardShapes,
    trigger: Trigger,
    hook: Hook,
    settings: Settings,
    node: without(PlainNode, 'cards'),
    agent: without(AgentNode, 'cards'),
    flow: without(Flow, 'nodes'),
    variable: Variable,
    messageNeeds,
  }
}
