import { type Guide, isMistaken } from '../guide.ts'
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
      text:
        'Create an app with the use case "Connect with customers through WhatsApp". Meta adds a test ' +
        'number that writes to five numbers of your choice.',
      links: [apps],
    },
    {
      title: 'Copy the ids of the number',
      text: '"WhatsApp", "API setup" shows both ids below the number.',
      settings: ['defaultBotPhoneNumberId', 'businessAccountId'],
    },
    {
      title: 'Make an access token',
      text:
        'In "Business settings", "System users", add a system user. Assign it the app and the WhatsApp ' +
        'account, press "Generate token" and choose both permissions.',
      links: [
        {
          title: 'Open Business settings',
          url: 'https://business.facebook.com/settings/system-users',
        },
      ],
      copies: [
        {
          title: 'Permissions',
          value: 'whatsapp_business_messaging, whatsapp_business_management',
        },
      ],
      settings: ['accessToken'],
    },
    { ...secretStep, settings: ['clientSecret', 'verifyToken'] },
  ],
  laterSteps: [toWebhookStep('"WhatsApp", "Configuration", "Edit"', '`messages`')],
  firstMessage: 'In WhatsApp, write to the business number from your own phone.',
  checks: [
    isMistaken(
      'defaultBotPhoneNumberId',
      /^\+|^00|[ ()-]/,
      'This is the phone number. Its id is below it in "API setup".',
    ),
    isId('defaultBotPhoneNumberId', 'phone number ID'),
    isId('businessAccountId', 'account ID'),
    ...metaChecks,
  ],
  problems: [
    {
      problem: 'Meta does not accept the access token',
      remedy: 'The token of "API setup" expires after a day. Make one for a system user.',
    },
    {
      problem: 'Meta does not find the phone number ID, or the token has no right to it',
      remedy:
        'Copy the id from "API setup", and assign the WhatsApp account to the system user with full ' +
        'control.',
    },
    metaProblems.secret,
    metaProblems.address,
    metaProblems.silent,
  ],
  invented: ['verifyToken'],
}
