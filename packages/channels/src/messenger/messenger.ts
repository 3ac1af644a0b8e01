// Messenger: people write to a page of Facebook (https://developers.facebook.com/docs/messenger-platform).
import { toBaseUrl } from '../meta/graph.ts'
import { createPageChannel } from '../meta/pages/channel.ts'
import { pageExplanations, toTokenExplanation } from '../meta/pages/explanations.ts'

export const messengerChannel = createPageChannel({
  name: 'messenger',
  title: 'Messenger',
  toGraph: ({ apiUrl, accessToken, clientSecret }) => ({
    baseUrl: toBaseUrl(apiUrl, 'https://graph.facebook.com'),
    accessToken: String(accessToken).trim(),
    appSecret: String(clientSecret).trim(),
    explanations: [
      toTokenExplanation('Generate it again: "Messenger", "API settings", "Generate".'),
      ...pageExplanations,
    ],
  }),
  secretPlace: '"App settings", "Basic"',
  findAccountId: ({ pageId }) => String(pageId).trim(),
  accountFields: 'name',
  toLink: ({ id }) => `https://m.me/${encodeURIComponent(id)}`,
  subscribedFields:
    'messages,messaging_postbacks,message_deliveries,message_reads,message_reactions,message_edits',
  profileFields: 'name,profile_pic',
  toConversationTags: (ids) => ids,
  text: { limit: 2_000, measure: (text) => text.length },
  takesUploads: true,
  mediaTypes: ['image', 'audio', 'video', 'file'],
  response: { messaging_type: 'RESPONSE' },
})
