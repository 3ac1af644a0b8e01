import type { Guide } from '../guide.ts'
import {
  apps,
  isId,
  metaChecks,
  metaProblems,
  secretStep,
  toWebhookStep,
} from '../meta/guide.ts'

export const guide: Guide = {
  steps: [
    {
      title: 'Create the app',
      text: 'Create an app with the use case "Engage with customers on Messenger from Meta".',
      links: [apps],
    },
    {
      title: 'Connect the page',
      text:
        'In the app: "Messenger", "API settings", "Generate access tokens", "Connect". Choose your page: ' +
        'its id is below its name. Press "Generate".',
      settings: ['pageId', 'accessToken'],
    },
    { ...secretStep, settings: ['clientSecret', 'verifyToken'] },
  ],
  laterSteps: [
    toWebhookStep(
      '"Messenger", "API settings", "Configure webhooks"',
      '`messages`, `messaging_postbacks`',
    ),
  ],
  firstMessage: 'Open your page in Facebook, press "Message" and write to it.',
  checks: [isId('pageId', 'page ID'), ...metaChecks],
  problems: [
    {
      problem: 'Meta does not accept the access token',
      remedy:
        'Generate it again in "API settings". A new password of your account ends tokens.',
    },
    {
      problem: 'The access token lacks a permission',
      remedy: 'Connect the page again, and leave `pages_messaging` switched on.',
    },
    metaProblems.secret,
    metaProblems.address,
    metaProblems.silent,
  ],
  invented: ['verifyToken'],
}
