// Parts of the guides of WhatsApp, Messenger and Instagram.
import { type GuideStep, isMistaken, isShaped, type ValueCheck } from '../guide.ts'

export const apps = {
  title: 'Open Meta for Developers',
  url: 'https://developers.facebook.com/apps',
}

export const secretStep: GuideStep = {
  title: 'Copy the app secret, and keep the verify token',
  text:
    'In the app: "App settings", "Basic", "App secret", "Show". The verify token is a text that you ' +
    'enter at Meta after connecting.',
  links: [apps],
  settings: ['clientSecret'],
}

/** `place`: of the webhook in the app. */
export const toWebhookStep = (place: string, fields: string): GuideStep => ({
  title: 'Enter the webhook',
  text: `In the app: ${place}. Enter both values, press "Verify and save", and subscribe to ${fields}.`,
  links: [apps],
  settings: [],
  copies: [
    { title: 'Callback URL', value: '{webhookUrl}' },
    { title: 'Verify token', value: '{verifyToken}' },
  ],
})

export const metaChecks: ValueCheck[] = [
  isMistaken(
    'accessToken',
    /^\d+\|/,
    'This is an app access token, with the app id and a bar. Paste the token of the step.',
  ),
  isShaped(
    'clientSecret',
    /^[0-9a-f]{32}$/,
    'An app secret has 32 characters from 0 to 9 and a to f. Press "Show" before you copy it.',
  ),
  isShaped('verifyToken', /^\S{6,}$/, 'Use at least 6 characters, without spaces.'),
]

export const isId = (setting: string, name: string): ValueCheck =>
  isShaped(
    setting,
    /^\d{5,20}$/,
    `The ${name} has only digits. It is no name and no phone number.`,
  )

export const metaProblems = {
  secret: {
    problem: 'The app secret is not of the app that made the access token',
    remedy: 'Copy the app secret of the same app: "App settings", "Basic".',
  },
  address: {
    problem: 'Meta cannot verify the callback URL',
    remedy:
      'The address must be public, with HTTPS and a valid certificate: the operator of the server sets ' +
      '`BOTSTEAD_PUBLIC_URL`. The ' +
      'verify token must be the one of this page.',
  },
  silent: {
    problem: 'The channel is ready, but no message arrives',
    remedy:
      'Subscribe to the fields of the webhook. While the app is in development mode, only people with ' +
      'a role in the app can write: set it to "Live".',
  },
}
