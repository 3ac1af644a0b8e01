import type { persons as English } from '../../en/bot/persons.ts'
import { amount } from '../amount.ts'

export const persons: typeof English = {
  title: 'Também conhecido como',
  hint:
    'Usuários de outros canais que são a mesma pessoa. Eles compartilham as variáveis que o bot ' +
    'guarda de um usuário.',
  none: 'Nenhum outro usuário',
  addresses: 'Endereços',
  noAddresses: 'Nenhum endereço',
  proofs: {
    'mail-server': 'verificado pelo servidor de e-mail',
    provider: 'verificado pelo provedor',
    signature: 'em uma chave de usuário assinada',
    account: 'verificado por um membro',
    bot: 'verificado pelo bot',
  },
  claimed: 'não verificado',
  alsoClaimed: 'também usado sem comprovação',
  joined: {
    email: 'unido pelo e-mail',
    phone: 'unido pelo telefone',
    id: 'unido pelo id assinado',
    account: 'unido por um membro',
    bot: 'unido pelo bot',
  },
  suggestions: 'Talvez a mesma pessoa',
  suggestion: (address: string) => `também escreve como ${address}`,
  merge: 'Unir',
  mergeWith: (name: string) => `Unir com ${name}`,
  mergeTitle: 'Unir dois usuários?',
  mergeText:
    'Os dois passam a compartilhar as variáveis que o bot guarda de um usuário. Se ambos têm um ' +
    'valor, vale o escrito por último. As conversas ficam nos seus canais. Você pode separá-los ' +
    'de novo.',
  merged: 'Os usuários são uma só pessoa',
  other: 'Outro usuário',
  apart: 'Pessoas diferentes',
  keptApart: 'Os usuários continuam separados',
  split: 'Separar',
  splitOff: (name: string) => `Separar ${name}`,
  splitTitle: 'Separar este usuário?',
  splitText:
    'Ele recebe de volta as variáveis que tinha antes da união, com o que foi escrito desde ' +
    'então nas suas próprias conversas. Nenhuma regra une estes usuários de novo.',
  isSplit: 'O usuário voltou a ser uma pessoa à parte',
  rules: {
    button: 'Mesma pessoa',
    title: 'Usuários que são uma só pessoa',
    hint: 'Unir usuários quando um deles escreve e os dois têm, verificado, o mesmo:',
    kinds: { email: 'E-mail', phone: 'Telefone', id: 'Id assinado' },
    kindHints: {
      email: 'Informado pelo servidor de e-mail ou por uma chave de usuário assinada',
      phone: 'De SMS, WhatsApp ou de uma chave de usuário assinada',
      id: 'De chaves de usuário que você assina, ou informado pelo seu bot',
    },
    about: 'Como os endereços são verificados',
    found: 'Sugestões',
    noSuggestions: 'Não há dois usuários com o mesmo endereço',
    users: (count: number) => amount(count, 'usuário'),
  },
}
