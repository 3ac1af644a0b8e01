import type {
  invitation as EnglishInvitation,
  signIn as EnglishSignIn,
} from '../en/sign-in.ts'
import { members } from './workspace.ts'

export const signIn: typeof EnglishSignIn = {
  title: 'Entrar',
  welcome: 'Botstead',
  intro: 'A plataforma de bots na sua própria máquina.',
  talk: (name: string) => `Conversar com ${name}`,
  talkHint: 'O primeiro bot está pronto. Para conversar, não é preciso ter conta.',
  how: 'Como entrar',
  howText:
    'Abra o link que o servidor mostrou ao iniciar. Para obter um novo link, execute:',
  command: (command: string) => `${command} login-link --account owner@localhost`,
  withLink: 'Entrando…',
  otherWays: 'Entrar com senha ou outra conta',
  email: 'E-mail',
  password: 'Senha',
  submit: 'Entrar',
  wrong: 'O e-mail ou a senha está errado.',
  wrongCode: 'O código está errado ou já foi usado.',
  wait: (seconds: number) =>
    `Muitas tentativas falharam. Tente de novo em ${seconds} s ou use um link de uso único.`,
  code: 'Código do seu app autenticador',
  codeHint: 'Ou um dos seus códigos de recuperação.',
  otherAccount: 'Usar outra conta',
  openId: (name: string) => `Continuar com ${name}`,
  link: 'Link de uso único',
}

const toRole = (role: string) => (members.roles as Record<string, string>)[role] ?? role

export const invitation: typeof EnglishInvitation = {
  title: 'Convite',
  text: (workspace: string, role: string) =>
    `Você recebeu um convite para o espaço de trabalho “${workspace}”. Sua função: ` +
    `${toRole(role)}.`,
  forAddress: (email: string) => `O convite é para ${email}.`,
  name: 'Seu nome',
  password: 'Senha',
  passwordHint: 'Pelo menos 12 caracteres, como quatro palavras sem relação entre si.',
  create: 'Criar conta',
  hasAccount: 'Já tenho conta',
  existing: 'Entre com a conta deste e-mail e depois aceite o convite.',
  accept: 'Aceitar o convite',
  otherAccount: (email: string) => `Você entrou como ${email}. Saia primeiro.`,
  gone: 'Este link não funciona mais',
  goneHint:
    'Um convite vale uma vez, por sete dias. Se você já o aceitou, entre. Se não, peça outro.',
  missing: 'O link está incompleto',
  missingHint: 'Copie o endereço completo do seu convite.',
}
