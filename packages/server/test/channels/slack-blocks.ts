// Slack's blocks, as the person sees them, with the limits of Slack.
import type { Json, Shown } from './stand-in.ts'

const unescapeText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const listElements = ({ blocks = [] }: Json): Json[] =>
  blocks.flatMap(({ elements = [] }: Json) => elements)

/** Returns buttons and options, each as a press would send it. */
export const readButtons = (
  message: Json,
): { label: string; url?: string; element: Json }[] =>
  listElements(message).flatMap(({ type, action_id, text, value, url, options = [] }) =>
    type === 'button'
      ? [{ label: text.text, url, element: { type, action_id, text, value } }]
      : options.map((selected_option: Json) => ({
          label: selected_option.text.text,
          element: { type, action_id, selected_option },
        })),
  )

/** Returns what Slack would reject; null if nothing. */
export function checkBlocks(blocks: Json[]): string | null {
  if (blocks.length > 50) return 'no more than 50 items allowed [json-pointer:/blocks]'
  const elements = listElements({ blocks })
  const labels = readButtons({ blocks }).map(({ label }) => label)
  if (labels.some((label) => label.length > 75 || label === ''))
    return 'must be less than 76 characters'
  if (blocks.some(({ type, text }) => type === 'section' && text.text.length > 3_000))
    return 'must be less than 3001 characters'
  if (blocks.some((block) => block.type === 'actions' && block.elements.length > 25))
    return 'no more than 25 items allowed'
  if (elements.some(({ options = [] }) => options.length > 100))
    return 'no more than 100 items allowed'
  const ids = elements.map(({ action_id }) => action_id)
  return new Set(ids).size < ids.length ? '`action_id` already exists' : null
}

export function readShown({ text, blocks = [], file }: Json): Shown {
  if (file) return { text: file.title, media: { kind: 'file', bytes: file.bytes } }
  const sections = blocks.flatMap((block: Json) =>
    block.type === 'section' ? [block.text.text] : [],
  )
  const image = blocks.find(({ type }: Json) => type === 'image')
  const buttons = readButtons({ blocks }).map(({ label, url }) => ({
    label,
    ...(url && { url }),
  }))
  return {
    text: unescapeText(sections.length > 0 ? sections.join('\n') : text),
    ...(buttons.length > 0 && { buttons }),
    ...(image && { media: { kind: 'image', url: image.image_url } }),
  }
}
