// What a message says, as lines of a terminal. A bot's words may hold anything, so signs that would steer the terminal are taken out.

type Fields = Record<string, unknown>

const words = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const list = (value: unknown) => (Array.isArray(value) ? value.filter((item): item is Fields => item !== null && typeof item === 'object') : [])
const lines = (...parts: (string | string[])[]) => parts.flat().filter(Boolean).join('\n')
const media = (kind: string, title: unknown, url: unknown) => [`[${kind}]`, words(title), words(url)].filter(Boolean).join(' ')

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
    list(actions).map(({ action, label, value }) => `  - ${words(label)}${action === 'url' ? `: ${words(value)}` : ''}`),
  )

const texts = new Map<unknown, (payload: Fields) => string>(
  Object.entries({
    text: ({ text }: Fields) => words(text),
    markdown: ({ markdown }: Fields) => words(markdown),
    image: ({ title, imageUrl }: Fields) => media('image', title, imageUrl),
    audio: ({ title, audioUrl }: Fields) => media('audio', title, audioUrl),
    video: ({ title, videoUrl }: Fields) => media('video', title, videoUrl),
    file: ({ title, fileUrl }: Fields) => media('file', title, fileUrl),
    location: ({ title, address, latitude, longitude }: Fields) =>
      ['[location]', words(title), words(address), `${words(latitude)}, ${words(longitude)}`].filter(Boolean).join(' '),
    card,
    carousel: ({ items }: Fields) => list(items).map(card).join('\n\n'),
    choice: options,
    dropdown: options,
    bloc: ({ items }: Fields) => lines(list(items).map((item) => (item.type === 'bloc' ? '' : messageText(item)))),
  }),
)

export function messageText(payload: Fields): string {
  return readable(texts.get(payload.type)?.(payload) || JSON.stringify(payload))
}

/** Without control signs, and with what is carried inside an address cut short. */
function readable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const safe = text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
  return safe.replace(/(data:[\w/+.-]{1,60}[;,][\w;,=+/-]{20})[\w;,=+/%-]{40,}/g, '$1…')
}
