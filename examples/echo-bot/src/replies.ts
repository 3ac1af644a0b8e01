// Replies by message type, one sample message each.
import { audioUrl, imageUrl, videoUrl } from './samples.ts'

export interface Reply {
  type: string
  payload: Record<string, unknown>
}

export const text = (words: string): Reply => ({ type: 'text', payload: { text: words } })

const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    label: `Option ${index + 1}`,
    value: `option${index + 1}`,
  }))

const markdown = `# Markdown
**Bold**, *italic*, \`code\` and [a link](https://example.com).

- one
- two

> A quotation.`

const card = (title: string, label: string) => ({
  title,
  subtitle: `What ${title.toLowerCase()} is about`,
  imageUrl,
  actions: [
    { action: 'say', label, value: label },
    { action: 'url', label: 'Open a page', value: 'https://example.com' },
  ],
})

const replies = new Map<string, Reply>(
  Object.entries({
    text: text('Hello, world!'),
    markdown: { type: 'markdown', payload: { markdown } },
    image: { type: 'image', payload: { imageUrl } },
    audio: { type: 'audio', payload: { audioUrl } },
    video: { type: 'video', payload: { videoUrl } },
    location: {
      type: 'location',
      payload: {
        latitude: 48.8584,
        longitude: 2.2945,
        title: 'Eiffel Tower',
        address: 'Paris, France',
      },
    },
    choice: { type: 'choice', payload: { text: 'Which one?', options: options(3) } },
    empty_choice: {
      type: 'choice',
      payload: { text: 'Nothing to choose from', options: [] },
    },
    dropdown: { type: 'dropdown', payload: { text: 'Which one?', options: options(8) } },
    card: { type: 'card', payload: card('The first card', 'text') },
    empty_card: {
      type: 'card',
      payload: { title: 'A card', subtitle: 'without buttons', actions: [] },
    },
    carousel: {
      type: 'carousel',
      payload: {
        items: [card('The first card', 'text'), card('The second card', 'image')],
      },
    },
    link: text('[An example](https://example.com) of a link'),
    bloc: {
      type: 'bloc',
      payload: {
        items: [
          { type: 'text', payload: { text: 'Three things in one message' } },
          { type: 'image', payload: { imageUrl } },
          { type: 'audio', payload: { audioUrl } },
        ],
      },
    },
  }),
)

export const replyTo = (word: string): Reply | undefined => replies.get(word)
