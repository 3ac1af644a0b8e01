// Instagram: people write direct messages to an account for businesses
// (https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/messaging-api).
import { toBaseUrl } from '../meta/graph.ts'
import { createPageChannel } from '../meta/pages/channel.ts'
import { pageExplanations, toTokenExplanation } from '../meta/pages/explanations.ts'

export const instagramChannel = createPageChannel({
  name: 'instagram',
  title: 'Instagram',
  // Tokens of Instagram's own login are not of the Facebook app, so there is no proof of it.
  toGraph: ({ apiUrl, accessToken }) => ({
    baseUrl: toBaseUrl(apiUrl, 'https://graph.instagram.com'),
    accessToken: String(accessToken).trim(),
    explanations: [
      toTokenExplanation(
        'It ends after 60 days. Generate it again: "Instagram", "API setup with Instagram login", ' +
          '"Generate token".',
      ),
      ...pageExplanations,
    ],
  }),
  secretPlace: '"Instagram", "API setup with Instagram login", "Instagram app secret"',
  findAccountId: ({ instagramId }) => String(instagramId).trim(),
  accountFields: 'user_id,username',
  toLink: ({ name }) => `https://ig.me/m/${encodeURIComponent(name)}`,
  subscribedFields:
    'messages,messaging_postbacks,messaging_seen,message_reactions,message_edit',
  profileFields: 'name,username,profile_pic',
  toConversationTags: () => ({}),
  // Instagram counts bytes.
  text: { limit: 1_000, measure: (text) => Buffer.byteLength(text) },
  takesUploads: false,
  mediaTypes: ['image', 'audio', 'video'],
  response: {},
})
