import type { account as English } from '../en/account.ts'

export const account: typeof English = {
  title: 'Su cuenta',
  profile: 'Perfil',
  email: 'Correo electrónico',
  name: 'Nombre',
  unverified: 'dirección no verificada',
  password: 'Contraseña',
  passwordNone: 'Su cuenta no tiene contraseña. Cree una para iniciar sesión sin enlace.',
  passwordHint: 'Una contraseña nueva cierra sus otras sesiones.',
  current: 'Contraseña actual',
  currentHint:
    'Puede quedar vacía durante los primeros 15 minutos tras iniciar sesión con un enlace de un solo uso.',
  newPassword: 'Contraseña nueva',
  newPasswordHint:
    'Al menos 12 caracteres; por ejemplo, cuatro palabras sin relación entre ellas.',
  setPassword: 'Crear contraseña',
  changePassword: 'Cambiar contraseña',
  passwordMissing: 'Cree una contraseña para iniciar sesión sin enlace',
  passwordLater: 'Ahora no',
  passwordSet: 'Contraseña guardada.',
  removePassword: 'Quitar contraseña',
  passwordRemoved: 'Contraseña quitada.',
  factor: 'Segundo factor',
  factorHint: 'Una aplicación de autenticación protege su contraseña con un código.',
  factorOn: (left) =>
    `El segundo factor está activado. Códigos de recuperación restantes: ${left}.`,
  factorNeedsPassword:
    'Primero cree una contraseña: el segundo factor protege el inicio de sesión con ella.',
  codesFile: 'botstead-codigos-de-recuperacion.txt',
  download: 'Descargar',
  factorStart: 'Configurar una aplicación de autenticación',
  factorScan:
    'Escanee este código con la aplicación o introduzca en ella el secreto. Después, introduzca aquí el ' +
    'código de la aplicación.',
  factorImage: 'Código QR con el secreto',
  secret: 'Secreto',
  code: 'Código de la aplicación',
  confirm: 'Activar',
  codes: 'Sus códigos de recuperación',
  codesHint:
    'Cada uno sustituye una vez al código de la aplicación. Guárdelos donde guarda sus contraseñas: solo ' +
    'se muestran ahora.',
  codeOrRecovery: 'Código de la aplicación o de recuperación',
  codeUse:
    'Solo para obtener códigos de recuperación nuevos o para desactivar el segundo factor.',
  newCodes: 'Códigos nuevos',
  turnOff: 'Desactivar',
  turnedOff: 'El segundo factor está desactivado.',
  sessions: 'Sesiones',
  sessionsHint: 'Navegadores en los que tiene la sesión iniciada.',
  session: 'Este navegador',
  lastUsed: 'último uso',
  inUse: 'en uso ahora',
  signedIn: 'sesión iniciada',
  endSession: 'Cerrar sesión',
  endOthers: 'Cerrar las demás sesiones',
  endedOthers: (count) =>
    count === 1 ? '1 sesión cerrada' : `${count} sesiones cerradas`,
  unknownBrowser: 'Navegador desconocido',
  back: 'Volver al espacio de trabajo',
  backShort: 'Volver',
}
