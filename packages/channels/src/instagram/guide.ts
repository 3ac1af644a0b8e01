import type { Guide } from '../guide.ts'
import {
  apps,
  isId,
  metaChecks,
  metaProblems,
  secretStep,
  toWebhookStep,
} from '../meta/guide.ts'

const place = '"Instagram", "API setup with Instagram login"'

export const guide: Guide = {
  steps: [
    {
      title: 'Make the account professional',
      text: 'In Instagram: "Settings", "Account type and tools", "Switch to professional account".',
    },
    {
      title: 'Create the app',
      text: 'Create an app with the use case "Manage messaging & content on Instagram".',
      links: [apps],
    },
    {
      title: 'Connect the account',
      text:
        `In the app: ${place}, "Generate access tokens", "Add account". Its id is below its name. ` +
        'Press "Generate token".',
      settings: ['instagramId', 'accessToken'],
    },
    {
      ...secretStep,
      text: `In the app: ${place}, "Instagram app secret", "Show". It is not that of "App settings".`,
      settings: ['clientSecret', 'verifyToken'],
    },
  ],
  laterSteps: [
    toWebhookStep(`${place}, "Configure webhooks"`, '`messages`, `messaging_postbacks`'),
  ],
  firstMessage: 'Write a direct message to your account from another account.',
  checks: [isId('instagramId', 'account ID'), ...metaChecks],
  problems: [
    {
      problem: 'Meta does not accept the access token',
      remedy: 'Tokens end after 60 days, and after a new password: generate it again.',
    },
    {
      problem: 'The access token lacks a permission',
      remedy: 'Add the account again, and admit `instagram_business_manage_messages`.',
    },
    {
      problem: 'The signature of requests is wrong',
      remedy: `Copy the app secret of ${place}, not that of "App settings".`,
    },
    metaProblems.address,
    {
      problem: 'The channel is ready, but no message arrives',
      remedy:
        'In Instagram, admit "Allow access to messages" below "Message requests", and set the app to ' +
        '"Live": before, only people with a role in the app can write.',
    },
  ],
  invented: ['verifyToken'],
  unproved: ['clientSecret'],
}
