import { inLanguage } from '../in-language.ts'

export const signIn = inLanguage('signIn', {
  title: 'Sign in',
  welcome: 'Botstead',
  intro: 'The bot platform on your own machine.',
  talk: (name: string) => `Talk to ${name}`,
  talkHint: 'The first bot is ready. Talking needs no account.',
  how: 'How to sign in',
  howText: 'Open the link that the server printed when it started. For a new link, run:',
  command: (command: string) => `${command} login-link --account owner@localhost`,
  withLink: 'Signing in …',
  otherWays: 'Sign in with a password or another account',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'The e-mail address or the password is wrong.',
  wrongCode: 'The code is wrong, or was used.',
  wait: (seconds: number) =>
    `Too many failed attempts. Try again in ${seconds} s, or use a one-time link.`,
  code: 'Code of your authenticator app',
  codeHint: 'Or one of your recovery codes.',
  otherAccount: 'Use another account',
  openId: (name: string) => `Continue with ${name}`,
  link: 'One-time link',
})
const toPerson = (role: string) =>
  role === 'billing' ? 'a billing member' : `${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`

export const invitation = inLanguage('invitation', {
  title: 'Invitation',
  text: (workspace: string, role: string) =>
    `You are invited to the workspace “${workspace}” as ${toPerson(role)}.`,
  forAddress: (email: string) => `The invitation is for ${email}.`,
  name: 'Your name',
  password: 'Password',
  passwordHint:
    'At least 12 characters, such as four words that have nothing to do with each other.',
  create: 'Create account',
  hasAccount: 'I have an account',
  existing: 'Sign in with the account of this address, then accept the invitation.',
  accept: 'Accept the invitation',
  otherAccount: (email: string) => `You are signed in as ${email}. Sign out first.`,
  gone: 'This link no longer works',
  goneHint:
    'An invitation works once, within seven days. If you accepted it, sign in. ' +
    'Otherwise ask for another one.',
  missing: 'The link is incomplete',
  missingHint: 'Copy the complete address from your invitation.',
})
