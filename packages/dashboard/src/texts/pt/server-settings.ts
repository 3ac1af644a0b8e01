import type { serverSettings as English } from '../en/server-settings.ts'
import { amount } from './amount.ts'

export const serverSettings: typeof English = {
  title: 'Configurações do servidor',
  hint:
    'Configurações da instalação inteira. Uma alteração vale na hora, em todos os servidores, ' +
    'sem reiniciar. Chaves e senhas são guardadas com criptografia e nunca mais mostradas.',
  setBy: (variable: string) => `Definida por ${variable} no servidor`,
  setByHint:
    'Uma variável de ambiente tem prioridade sobre esta página. Para alterar a configuração ' +
    'aqui, remova a variável no servidor e reinicie-o.',
  test: 'Testar',
  testing: 'Testando…',
  works: 'Funciona',
  worksNot: 'Não funciona',
  notSaved: 'Ainda não salvo.',
  saveAnyway: 'Salvar mesmo assim',
  remove: 'Remover',
  removeOne: (setting: string) => `Remover a configuração “${setting}”`,
  removeText: 'O servidor passa na hora a usar o valor padrão.',
  removed: 'Removida',
  stored: 'guardada',
  storedHint: 'Deixe vazio para manter o valor guardado.',
  address: {
    title: 'Endereço público',
    hint:
      'O endereço em que visitantes, mensageiros e membros acessam este servidor pela internet. ' +
      'Ele aparece em links, webhooks e no código para sites.',
    url: 'Endereço',
    placeholder: 'https://bots.example.org',
    inUse: (url: string) => `Em uso agora: ${url}`,
    removeText: 'Links e webhooks passam a usar o endereço em que o servidor escuta.',
    after:
      'Depois de uma alteração, salve de novo a configuração de cada mensageiro conectado: ele ' +
      'ainda envia para o endereço anterior. Os membros precisam entrar de novo no endereço novo.',
    open: (url: string) => `Abrir o painel em ${url}`,
  },
  model: {
    title: 'Modelo de linguagem',
    hint:
      'O modelo `auto` de todos os bots, colunas calculadas e cartões de IA. O provedor recebe ' +
      'os textos que os bots enviam a ele e cobra de você.',
    type: 'Provedor',
    types: {
      openai: 'OpenAI',
      anthropic: 'Anthropic',
      google: 'Google',
      mistral: 'Mistral',
      'openai-compatible': 'Outro, ou um modelo na sua própria máquina',
    },
    url: 'Endereço',
    urlHint:
      'De uma API compatível com a da OpenAI; em geral termina em /v1. Ollama: ' +
      'http://127.0.0.1:11434/v1',
    ownUrl: 'o do próprio provedor',
    model: 'Modelo',
    modelHint: 'O nome como aparece na documentação do provedor.',
    key: 'Chave',
    removeText: 'Bots e colunas que precisam de um modelo falham até haver outro.',
  },
  embeddings: {
    title: 'Busca por significado',
    hint:
      'O modelo que compara perguntas com seus documentos. Sem ele, o modelo incluído roda nesta ' +
      'máquina; ele só sabe inglês. Depois de uma alteração, o servidor recalcula todos os ' +
      'documentos, o que leva de minutos a horas; enquanto isso, a busca é por palavras.',
    removeText:
      'O servidor passa a usar o modelo incluído e recalcula todos os documentos.',
  },
  backups: {
    title: 'Agenda de backups',
    hint: 'Backups da instalação inteira. Na página “Instalação” você os vê e pode restaurar um deles.',
    when: 'Quando',
    times: {
      '0 3 * * *': 'Toda noite às 3:00 UTC',
      '0 */6 * * *': 'A cada seis horas',
      '0 3 * * 0': 'Aos domingos, às 3:00 UTC',
      other: 'Outro horário',
    },
    schedule: 'Agenda',
    scheduleHint:
      'Cinco campos do cron em UTC: minuto, hora, dia, mês, dia da semana. `30 2 * * 1-5`',
    keep: 'Quantos manter',
    verify: 'Restaurar cada um como teste',
    verifyHint: 'Em um banco de dados temporário, que precisa do mesmo espaço livre.',
    removeText: 'O servidor não faz mais backups por conta própria. Os existentes ficam.',
  },
  mail: {
    title: 'Servidor de e-mail',
    hint:
      'Envia os convites de membros e um aviso a você quando um backup falha. Use uma caixa de ' +
      'e-mail do seu provedor e, se ele oferecer, uma senha de app.',
    host: 'Servidor SMTP',
    port: 'Porta do servidor SMTP',
    security: 'Criptografia do SMTP',
    securities: {
      tls: 'TLS desde o início (em geral, porta 465)',
      starttls: 'STARTTLS (em geral, porta 587)',
      none: 'Nenhuma: só dentro da sua rede',
    },
    user: 'Usuário',
    userHint: 'Em geral, o e-mail. Vazio, se o servidor não pede login.',
    password: 'Senha',
    from: 'Remetente',
    fromPlaceholder: 'Suporte <suporte@example.org>',
    recipient: 'Enviar o e-mail de teste para',
    removeText: 'Os convites voltam a ser links que você mesmo repassa.',
    pending: (count: number) => amount(count, 'e-mail aguardando', 'e-mails aguardando'),
    failed: (recipient: string, time: string) =>
      `O e-mail de ${time} para ${recipient} não foi enviado:`,
  },
}
