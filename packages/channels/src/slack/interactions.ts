// Pressed buttons, chosen options, and commands with a slash.
import type { Arrival, Context } from '../channel.ts'
import { findPressed } from '../text/choices.ts'
import { findPlaces, toConversation, toTagged } from './arrivals.ts'
import { findUser } from './profiles.ts'
import type { Interaction, SlashCommand } from './types.ts'

type PressedElement = NonNullable<Interaction['actions']>[number]

/** A pressed button says its label, and has the value that the bot gave it. A link says nothing. */
export async function toPresses(
  context: Context,
  interaction: Interaction,
): Promise<Arrival[]> {
  const { type, user: by, message, container, actions = [] } = interaction
  const channel = interaction.channel?.id ?? container?.channel_id
  const pressed = actions[0]
  if (type !== 'block_actions' || !by || !channel || !pressed) return []
  const payload = await readPress(context, pressed)
  if (!payload) return []
  const user = await findUser(context, by.id, by.username ?? by.name)
  const thread_ts = container?.thread_ts ?? message?.thread_ts
  const ts = container?.message_ts ?? message?.ts
  return findPlaces(context, channel, { ts, thread_ts }).map(
    ({ conversation, isFork }) => ({
      conversation,
      user,
      message: toTagged(
        { type: 'text', payload },
        {
          ts: `press-${pressed.action_ts}`,
          userId: by.id,
          channelId: channel,
          ...(isFork && { forkedToThread: 'true' }),
        },
      ),
    }),
  )
}

async function readPress(
  { host }: Context,
  { value, text, selected_option }: PressedElement,
): Promise<{ text: string; value?: string } | null> {
  const pressed = await findPressed(host, value ?? selected_option?.value ?? '')
  if (pressed) return { text: pressed.label, value: pressed.value }
  const label =
    selected_option?.text?.text ?? (value === undefined ? undefined : text?.text)
  return label ? { text: label } : null
}

/** Arrives as the text that the person wrote. */
export async function toCommand(
  context: Context,
  command: SlashCommand,
): Promise<Arrival[]> {
  const { user_id, user_name, channel_id, trigger_id, text = '' } = command
  const content = {
    type: 'text',
    payload: { text: `${command.command} ${text}`.trimEnd() },
  }
  const tags = { ts: `command-${trigger_id}`, userId: user_id, channelId: channel_id }
  return [
    {
      conversation: toConversation(channel_id),
      user: await findUser(context, user_id, user_name),
      message: toTagged(content, tags),
    },
  ]
}
