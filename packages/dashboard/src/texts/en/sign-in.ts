export const signIn = {
  title: 'Sign in',
  welcome: 'Botstead',
  intro: 'The bot platform on your own machine.',
  talk: (name: string) => `Talk to ${name}`,
  talkHint: 'The first bot is ready. Talking needs no account.',
  how: 'How to sign in',
  howText: 'Open the link that the server printed when it started. For a new link, run:',
  command: 'npm run botstead -- login-link --account owner@localhost',
  withLink: 'Signing in …',
  otherWays: 'Sign in with a password or another account',
}
