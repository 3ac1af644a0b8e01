import type {
  invitation as EnglishInvitation,
  signIn as EnglishSignIn,
} from '../en/sign-in.ts'
import { members } from './workspace.ts'

export const signIn: typeof EnglishSignIn = {
  title: 'サインイン',
  welcome: 'Botstead',
  intro: '自分のマシンで動くボットプラットフォーム',
  talk: (name: string) => `「${name}」と話す`,
  talkHint: '最初のボットを用意しました。アカウントがなくても話せます。',
  how: 'サインインの方法',
  howText:
    'サーバーの起動時に表示されたリンクを開いてください。新しいリンクを作るには、次を実行します。',
  command: (command: string) => `${command} login-link --account owner@localhost`,
  withLink: 'サインイン中…',
  otherWays: 'パスワードまたは別のアカウントでサインイン',
  email: 'メールアドレス',
  password: 'パスワード',
  submit: 'サインイン',
  wrong: 'メールアドレスまたはパスワードが違います。',
  wrongCode: 'コードが違うか、すでに使われています。',
  wait: (seconds: number) =>
    `失敗が続いています。${seconds}秒後に再試行するか、ワンタイムリンクを使ってください。`,
  code: '認証アプリのコード',
  codeHint: 'リカバリーコードも使えます。',
  otherAccount: '別のアカウントを使う',
  openId: (name: string) => `${name}で続行`,
  link: 'ワンタイムリンク',
}

const roles: Record<string, string> = members.roles

export const invitation: typeof EnglishInvitation = {
  title: '招待',
  text: (workspace: string, role: string) =>
    `ワークスペース「${workspace}」に招待されています（ロール: ${roles[role] ?? role}）。`,
  forAddress: (email: string) => `この招待は${email}宛てです。`,
  name: '名前',
  password: 'パスワード',
  passwordHint: '12文字以上。互いに関係のない4つの単語を並べると安全です。',
  create: 'アカウントを作成',
  hasAccount: 'アカウントを持っている',
  existing: 'このアドレスのアカウントでサインインしてから、招待を承諾してください。',
  accept: '招待を承諾',
  otherAccount: (email: string) =>
    `${email}でサインインしています。先にサインアウトしてください。`,
  gone: 'このリンクは無効です',
  goneHint:
    '招待は7日以内に1回だけ使えます。承諾済みの場合は、サインインしてください。' +
    'まだの場合は、もう一度招待を依頼してください。',
  missing: 'リンクが途中で切れています',
  missingHint: '招待に書かれたアドレス全体をコピーしてください。',
}
