// Blocks of Typebot that call models: a chat completion becomes `aiText`.
import type { Card } from '../../document/card-shapes.ts'
import { toNoteCard } from '../note-card.ts'
import { objectsIn, textIn, valueIn } from '../reading.ts'
import type { Step, TypebotContext } from './context.ts'
import type { Block } from './source.ts'

const chats = [
  'Create chat completion',
  'Create chat message',
  'Create Chat Completion',
  'Create message',
  'Ask assistant',
  'Ask Assistant',
  'Create Chat Message',
]

/** Whether a block of an unknown kind asks a model. */
export const isChatCompletion = ({ options }: Block): boolean =>
  chats.includes(textIn(options, 'action') || textIn(options, 'task'))

export function toModelCards(context: TypebotContext, block: Block): Step {
  const { bot, texts } = context
  const { options, id } = block
  const task = textIn(options, 'action') || textIn(options, 'task')
  if (!chats.includes(task))
    return {
      cards: [
        toNoteCard(`Not imported: ${task || block.type}`, [
          JSON.stringify(options, null, 2),
        ]),
      ],
      result: 'omitted',
      note: `"${task || 'no action'}" has no card. Use an action of an integration, or \`axios\` in code`,
    }
  const model = textIn(options, 'model') || textIn(options, 'assistantId')
  bot.remark(
    'Models are not carried: the bot uses the model `auto` of the workspace. Choose another in the cards.',
  )
  if (textIn(options, 'credentialsId'))
    bot.addSecret(`${block.type}: credentials of the model`)
  const mapped = objectsIn(options, 'responseMapping').find(({ item, valueToExtract }) =>
    ['', 'Message content', 'Message'].includes(
      textIn({ at: item ?? valueToExtract ?? '' }, 'at'),
    ),
  )
  const into =
    texts.variable(textIn(mapped, 'variableId')) ??
    bot.variables.declare(`reply:${id}`, 'model reply')
  const isAssistant = /assistant/i.test(task)
  const isCarried =
    !isAssistant &&
    textIn(options, 'functions') === '' &&
    objectsIn(options, 'tools').length === 0
  return {
    cards: [toPrompt(context, block, into)],
    ...(!isCarried && {
      result: 'changed' as const,
      note: isAssistant
        ? 'The assistant has its instructions at its provider: copy them into `instructions`'
        : 'Tools of the model are not carried: use a node of type `agent`',
    }),
    ...(model && isCarried && { note: `The model was \`${model}\`` }),
  }
}

function toPrompt({ texts }: TypebotContext, { options }: Block, into: string): Card {
  const messages = objectsIn(options, 'messages')
  const of = (role: string) =>
    messages
      .filter((one) => textIn(one, 'role') === role)
      .map((one) => textIn(one, 'content'))
  const history = messages.flatMap((one) => {
    const content = valueIn(one, 'content')
    const ids = [
      textIn(one, 'dialogueVariableId'),
      textIn(content, 'userMessagesVariableId'),
      textIn(content, 'assistantMessagesVariableId'),
    ]
    return ids.flatMap((id) => texts.variable(id) ?? [])
  })
  const asked = [...of('user'), textIn(options, 'message')].filter((text) => text !== '')
  const given = of('assistant').join('\n')
  return {
    type: 'aiText',
    instructions: texts.template(
      of('system').join('\n') || 'Reply to the message of the user.',
    ),
    input: {
      message:
        asked.length > 0 ? texts.template(asked.join('\n')) : '{{ event.preview }}',
      ...(given && { earlierReplies: texts.template(given) }),
      ...Object.fromEntries(
        history.map((path, index) => [
          index === 0 ? 'history' : `history${index + 1}`,
          `{{ ${path} ?? [] }}`,
        ]),
      ),
    },
    into,
  }
}
