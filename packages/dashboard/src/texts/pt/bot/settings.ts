import type { settings as English } from '../../en/bot/settings.ts'

export const settings: typeof English = {
  title: 'Configurações gerais',
  general: 'Geral',
  name: 'Nome',
  description: 'Descrição',
  maxExecutionTime: 'Tempo máximo de execução, em segundos',
  configuration: 'Configuração',
  noConfiguration: 'Este bot não define nenhuma configuração.',
  bursts: {
    title: 'Mensagens em sequência',
    hint:
      'Várias mensagens curtas de uma pessoa podem formar um só turno do bot, que assim responde ' +
      'uma vez.',
    seconds: 'Segundos de uma mensagem à próxima',
    secondsHint: 'De 0 a 10. Com 0, cada mensagem é um turno.',
    modes: {
      wait: 'O bot espera este tempo e então recebe todas juntas',
      restart: 'O bot responde na hora e recomeça se a pessoa continuar',
    },
  },
  secrets: 'Segredos',
  secretsHint:
    'O código os lê como variáveis de ambiente. Os valores são criptografados e nunca mostrados.',
  noSecrets: 'Nenhum segredo',
  secretName: 'Nome',
  secretExample: 'API_TOKEN',
  secretValue: 'Valor',
  setSecret: 'Definir segredo',
  removeSecret: (name: string) => `Remover o segredo ${name}`,
  secretSet: (name: string) => `Segredo definido: ${name}`,
  secretRemoved: (name: string) => `Segredo removido: ${name}`,
  keys: 'Chaves de API',
  keysHint: 'Uma chave pode fazer tudo dentro deste bot.',
  noKeys: 'Nenhuma chave de API',
  note: 'Nota',
  createKey: 'Criar chave',
  keyCreated: 'Copie a chave agora. Ela não será mostrada de novo.',
  revoke: 'Revogar',
  revokeKey: (note: string) => `Revogar a chave ${note}?`,
  revokeText: 'Os programas que a usam passam a receber 401.',
  signing: 'Segredo de assinatura',
  signingHint: 'O servidor assina com ele as chamadas a um bot em uma URL.',
  rotate: 'Trocar',
  rotated: 'Copie o novo segredo agora. Os anteriores continuam valendo por 24 horas.',
  export: 'Exportar',
  exportHint:
    'Um documento com as definições, o código e a configuração do bot, sem segredos, chaves e ' +
    'configurações de integrações. Com Criar bot > Arquivos de bot, ele vira um novo bot.',
  exportBot: 'Exportar bot',
  danger: 'Mover e excluir',
}
