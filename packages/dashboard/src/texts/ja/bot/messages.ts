import type { messages as English } from '../../en/bot/messages.ts'

/** Words of the chat page in messages. It replaces the names in braces. */
export const messages: typeof English = {
  options: '選択肢',
  choose: '選ぶ',
  cards: '{count} 枚のカード',
  image: '画像',
  audio: '音声',
  video: '動画',
  file: 'ファイル',
  openMap: '地図を開く',
  invalidAddress: '無効なアドレス',
  unusable: '{kind}のアドレスが無効です: ',
  notLoaded: '{kind}を読み込めませんでした: ',
  load: '{host} の{kind}を読み込む',
}
