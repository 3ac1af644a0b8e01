// Chat, agent and completion apps of Dify: one prompt, with knowledge and tools.
import type { AgentTool } from '../../agent/agent-shape.ts'
import type { Assembly } from '../assembly.ts'
import { splitText, toTemplate } from '../pieces.ts'
import { isObject, isSet, type Json, objectsIn, textIn, valueIn } from '../reading.ts'
import { reportPart } from '../support.ts'
import { toFormCards, toFormOnce } from './form.ts'
import { difyKinds } from './kinds.ts'

export function importChatApp(bot: Assembly, config: unknown, mode: string): void {
  const fields = objectsIn(config, 'user_input_form').flatMap((entry) =>
    Object.entries(entry).flatMap(([type, field]) =>
      isObject(field) ? [{ ...field, type }] : [],
    ),
  )
  const form = toFormCards(bot, 'form', fields)
  bot.enterAt('main', 'start')
  bot.addNode('main', {
    id: 'start',
    label: 'start',
    cards: toFormOnce(bot, form, 'app'),
    next: 'app',
  })
  if (form.length > 0)
    reportPart(bot, difyKinds, {
      kind: 'user input form',
      name: `${form.length} fields`,
      node: 'start',
    })
  const instructions = toInstructions(bot, config) || 'Reply to the user.'
  const tools = [...toKnowledge(bot, config), ...reportTools(bot, config)]
  if (mode === 'completion')
    bot.addNode('main', {
      id: 'app',
      label: 'reply',
      cards: [{ type: 'aiText', instructions }],
    })
  else
    bot.addNode('main', {
      id: 'app',
      label: 'assistant',
      cards: [],
      agent: { instructions, ...(tools.length > 0 && { tools }) },
    })
  const model = textIn(config, 'model', 'name')
  reportPart(bot, difyKinds, {
    kind: 'chat app',
    name: mode,
    node: 'app',
    ...(model && { note: `The model was \`${model}\`: choose one in the node` }),
  })
}

function toInstructions(bot: Assembly, config: unknown): string {
  const prompts = objectsIn(config, 'chat_prompt_config', 'prompt')
  const isAdvanced = textIn(config, 'prompt_type') === 'advanced' && prompts.length > 0
  const text = isAdvanced
    ? prompts.map((one) => textIn(one, 'text')).join('\n\n')
    : textIn(config, 'pre_prompt')
  return toTemplate(
    splitText(
      text,
      /\{\{#?([\w.]{1,100})#?\}\}/g,
      ([, name = '']) => bot.variables.find(`form.${name}`) ?? null,
    ),
  )
}

function toKnowledge(bot: Assembly, config: unknown): AgentTool[] {
  const datasets = [
    ...objectsIn(config, 'dataset_configs', 'datasets', 'datasets'),
    ...objectsIn(config, 'agent_mode', 'tools'),
  ].flatMap((one) =>
    isObject(one.dataset) && valueIn(one.dataset, 'enabled') !== false
      ? [one.dataset as Json]
      : [],
  )
  if (datasets.length === 0) return []
  const knowledgeBases = datasets.map((dataset, index) =>
    bot.addKnowledgeBase(textIn(dataset, 'id'), `knowledge ${index + 1}`, [
      'documents of the knowledge of Dify',
    ]),
  )
  for (const base of knowledgeBases)
    reportPart(bot, difyKinds, { kind: 'knowledge-retrieval', name: base, node: 'app' })
  return [{ type: 'knowledge', knowledgeBases: [...new Set(knowledgeBases)] }]
}

/** Tools have no counterpart, so none is returned. */
function reportTools(bot: Assembly, config: unknown): AgentTool[] {
  if (valueIn(config, 'agent_mode', 'enabled') === false) return []
  for (const tool of objectsIn(config, 'agent_mode', 'tools')) {
    const name = textIn(tool, 'tool_name') || textIn(tool, 'tool_label')
    if (name !== '' && (valueIn(tool, 'enabled') === undefined || isSet(tool, 'enabled')))
      reportPart(bot, difyKinds, { kind: 'tool', name, node: 'app' })
  }
  return []
}
