// Converts messages to plain text for `event.preview`, terminals and conversation scripts.

type Fields = Record<string, unknown>

const words = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const list = (value: unknown) =>
  Array.isArray(value)
    ? value.filter((item): item is Fields => item !== null && typeof item === 'object')
    : []
const lines = (...parts: (string | string[])[]) => parts.flat().filter(Boolean).join('\n')
const media = (kind: string, title: unknown, url: unknown) =>
  [`[${kind}]`, words(title), words(url)].filter(Boolean).join(' ')

const options = ({ text, options }: Fields) =>
  lines(
    words(text),
    list(options).map(({ label, value }) => `  - ${words(label) || words(value)}`),
  )

const card = ({ title, subtitle, imageUrl, actions }: Fields) =>
  lines(
    words(title),
    words(subtitle),
    imageUrl ? media('image', '', imageUrl) : '',
    list(actions).map(
      ({ action, label, value }) =>
        `  - ${words(label)}${action === 'url' ? `: ${words(value)}` : ''}`,
    ),
  )

/** Items of a bloc have their fields beside `type` or in `payload`. */
const part = (item: Fields) =>
  item.type === 'bloc'
    ? ''
    : preview(item.type, (item.payload as Fields | undefined) ?? item)

const texts = new Map<unknown, (payload: Fields) => string>(
  Object.entries({
    text: ({ text }: Fields) => words(text),
    markdown: ({ markdown }: Fields) => words(markdown),
    image: ({ title, imageUrl }: Fields) => media('image', title, imageUrl),
    audio: ({ transcript, title, audioUrl }: Fields) =>
      words(transcript) || media('audio', title, audioUrl),
    video: ({ title, videoUrl }: Fields) => media('video', title, videoUrl),
    file: ({ title, fileUrl }: Fields) => media('file', title, fileUrl),
    location: ({ title, address, latitude, longitude }: Fields) =>
      [
        '[location]',
        words(title),
        words(address),
        `${words(latitude)}, ${words(longitude)}`,
      ]
        .filter(Boolean)
        .join(' '),
    card,
    carousel: ({ items }: Fields) => list(items).map(card).join('\n\n'),
    choice: options,
    dropdown: options,
    bloc: ({ items }: Fields) => lines(list(items).map(part)),
  }),
)

/**
 * Returns a message as plain text. Unknown types and messages without text give the payload as
 * JSON.
 */
export function preview(type: unknown, payload: Record<string, unknown>): string {
  return texts.get(type)?.(payload) || JSON.stringify(payload)
}
