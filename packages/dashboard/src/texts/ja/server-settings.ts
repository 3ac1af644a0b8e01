import type { serverSettings as English } from '../en/server-settings.ts'
import { amount } from './amount.ts'

export const serverSettings: typeof English = {
  title: 'サーバー設定',
  hint:
    'サーバー環境全体の設定です。変更は再起動なしで、すべてのサーバーにすぐに反映されます。キーとパスワードは' +
    '暗号化して保存され、再表示されません。',
  setBy: (variable: string) => `サーバーの${variable}で設定されています`,
  setByHint:
    '環境変数はこのページの設定より優先されます。ここで変更するには、サーバーの環境変数を削除して再起動してください。',
  test: 'テスト',
  testing: 'テスト中…',
  works: '正常に動作します',
  worksNot: '動作しません',
  notSaved: 'まだ保存していません。',
  saveAnyway: 'このまま保存',
  remove: '削除',
  removeOne: (setting: string) => `設定「${setting}」を削除`,
  removeText: 'サーバーはすぐに既定値を使います。',
  removed: '削除しました',
  stored: '保存済み',
  storedHint: '保存済みの値を使う場合は、空欄のままにしてください。',
  address: {
    title: '公開アドレス',
    hint:
      '訪問者、メッセンジャー、メンバーがインターネットからこのサーバーに接続するアドレスです。リンク、Webhook、' +
      'Webサイト用のコードに使われます。',
    url: 'アドレス',
    placeholder: 'https://bots.example.org',
    inUse: (url: string) => `現在のアドレス: ${url}`,
    removeText: 'リンクとWebhookには、サーバーの待ち受けアドレスが使われます。',
    after:
      '変更後は、接続済みの各メッセンジャーの設定を保存し直してください。保存するまで、以前のアドレスに送信されます。' +
      'メンバーは新しいアドレスでサインインし直す必要があります。',
    open: (url: string) => `${url}で管理画面を開く`,
  },
  model: {
    title: '言語モデル',
    hint:
      'すべてのボットの`auto`モデル、計算列、AIカードで使うモデルです。ボットが送るテキストはプロバイダーに' +
      '渡り、料金はプロバイダーから請求されます。',
    type: 'プロバイダー',
    types: {
      openai: 'OpenAI',
      anthropic: 'Anthropic',
      google: 'Google',
      mistral: 'Mistral',
      'openai-compatible': 'その他、または自分のマシンのモデル',
    },
    url: 'アドレス',
    urlHint:
      'OpenAI互換APIのアドレスです。多くは/v1で終わります。Ollama: http://127.0.0.1:11434/v1',
    ownUrl: 'プロバイダーの標準アドレス',
    model: 'モデル',
    modelHint: 'プロバイダーのマニュアルに書かれている名前です。',
    key: 'キー',
    removeText: '別のモデルを設定するまで、モデルを使うボットと列は失敗します。',
  },
  embeddings: {
    title: '意味による検索',
    hint:
      '質問とドキュメントを比べるモデルです。設定しない場合は、付属のモデルがこのマシンで動きます（英語のみ）。' +
      '変更すると、サーバーはすべてのドキュメントを計算し直します。数分から数時間かかり、その間は言葉で検索します。',
    removeText:
      'サーバーは付属のモデルに切り替え、すべてのドキュメントを計算し直します。',
  },
  backups: {
    title: 'バックアップのスケジュール',
    hint: 'サーバー環境全体のバックアップです。一覧と復元は「サーバー環境」ページにあります。',
    when: '実行日時',
    times: {
      '0 3 * * *': '毎日3:00（UTC）',
      '0 */6 * * *': '6時間ごと',
      '0 3 * * 0': '毎週日曜日3:00（UTC）',
      other: 'その他',
    },
    schedule: 'スケジュール',
    scheduleHint: 'UTCのcron形式（分、時、日、月、曜日）。`30 2 * * 1-5`',
    keep: '残す個数',
    verify: '毎回、テストとして復元する',
    verifyHint: '一時データベースに復元します。同じサイズの空き容量が必要です。',
    removeText: '自動バックアップを停止します。既存のバックアップは残ります。',
  },
  mail: {
    title: 'メールサーバー',
    hint:
      'メンバーへの招待と、バックアップ失敗の通知を送ります。ご利用のプロバイダーのメールボックスを指定し、' +
      'アプリパスワードがあればそれを使ってください。',
    host: 'SMTPサーバー',
    port: 'SMTPサーバーのポート',
    security: 'SMTPの暗号化',
    securities: {
      tls: '最初からTLS（通常はポート465）',
      starttls: 'STARTTLS（通常はポート587）',
      none: 'なし（自社ネットワーク内のみ）',
    },
    user: 'ユーザー',
    userHint: '通常はメールアドレスです。サインインが不要なサーバーでは空欄にします。',
    password: 'パスワード',
    from: '差出人',
    fromPlaceholder: 'サポート <support@example.org>',
    recipient: 'テストメールの宛先',
    removeText: '招待は、手動で送るリンクに戻ります。',
    pending: (count: number) => `送信待ちのメール${amount(count, '通')}`,
    failed: (recipient: string, time: string) =>
      `${recipient}宛てのメール（${time}）を送信できませんでした:`,
  },
}
