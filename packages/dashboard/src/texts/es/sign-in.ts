import type {
  invitation as EnglishInvitation,
  signIn as EnglishSignIn,
} from '../en/sign-in.ts'
import { members } from './workspace.ts'

export const signIn: typeof EnglishSignIn = {
  title: 'Iniciar sesión',
  welcome: 'Botstead',
  intro: 'La plataforma de bots en su propia máquina.',
  talk: (name) => `Hablar con ${name}`,
  talkHint: 'El primer bot está listo. Para hablar con él no hace falta una cuenta.',
  how: 'Cómo iniciar sesión',
  howText:
    'Abra el enlace que el servidor mostró al iniciarse. Para obtener un enlace nuevo, ejecute:',
  command: (command) => `${command} login-link --account owner@localhost`,
  withLink: 'Iniciando sesión…',
  otherWays: 'Iniciar sesión con una contraseña u otra cuenta',
  email: 'Correo electrónico',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  wrong: 'El correo electrónico o la contraseña no son correctos.',
  wrongCode: 'El código no es correcto o ya se usó.',
  wait: (seconds) =>
    `Demasiados intentos fallidos. Inténtelo de nuevo en ${seconds} s o use un enlace de un solo uso.`,
  code: 'Código de su aplicación de autenticación',
  codeHint: 'O uno de sus códigos de recuperación.',
  otherAccount: 'Usar otra cuenta',
  openId: (name) => `Continuar con ${name}`,
  link: 'Enlace de un solo uso',
}

const roles: Record<string, string> = members.roles

export const invitation: typeof EnglishInvitation = {
  title: 'Invitación',
  text: (workspace, role) =>
    `Tiene una invitación al espacio de trabajo «${workspace}» con el rol «${roles[role] ?? role}».`,
  forAddress: (email) => `La invitación es para ${email}.`,
  name: 'Su nombre',
  password: 'Contraseña',
  passwordHint:
    'Al menos 12 caracteres; por ejemplo, cuatro palabras sin relación entre ellas.',
  create: 'Crear cuenta',
  hasAccount: 'Ya tengo una cuenta',
  existing: 'Inicie sesión con la cuenta de esta dirección y acepte la invitación.',
  accept: 'Aceptar la invitación',
  otherAccount: (email) => `Ha iniciado sesión como ${email}. Primero cierre esa sesión.`,
  gone: 'Este enlace ya no funciona',
  goneHint:
    'Una invitación sirve una sola vez, durante siete días. Si ya la aceptó, inicie sesión. Si no, pida ' +
    'otra.',
  missing: 'El enlace está incompleto',
  missingHint: 'Copie la dirección completa de su invitación.',
}
