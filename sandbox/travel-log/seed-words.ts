/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`: the first is that of the demo traveller, whose clocks show UTC all year. */
export const homes = [
  'Atlantic/Reykjavik',
  'America/Sao_Paulo',
  'Europe/Warsaw',
  'Asia/Tokyo',
  'America/New_York',
  'Asia/Jerusalem',
  'Pacific/Auckland',
] as const

export const journeyNames = [
  'Slow trains to',
  'Drei Wochen um',
  'Retour à',
  'De mochila por',
  'Å gå til',
  'Żeglując do',
  'رحلة إلى',
  'המסע אל',
  'Bikes & <b>boats</b> near',
  '一人旅・',
] as const

export const longName = 'Around the world in a very small car, without a plan and with far too many maps, '.repeat(3)

export const blurbs = [
  '',
  'Two backpacks, one tent, no plan.',
  'Mit Oma und dem alten Bus.\n\nJeden Tag ein Foto.',
  'كل يوم مدينة جديدة',
  'Ça commence mal: le train est en retard.',
] as const

export const companions = [
  'Zoë Łukasiewicz',
  'José Núñez',
  'نور الهدى',
  'מאיה כהן',
  'Björk Þórsdóttir',
  'Robert <Bob> "Maps" & Sons',
  '花子',
] as const

export const headings = [
  'Arrival in',
  'A rainy day in',
  'Früh auf den Beinen:',
  'Le marché de',
  'Última noite em',
  'Blisters, noodles &',
  'صباح الخير',
  'בוקר טוב',
  'Leaving',
] as const

export const stories = [
  '',
  'The night train was four hours late, and nobody minded. Tea came in glasses, the window would not shut, and by sunrise the whole carriage knew where we were going and had an opinion about it.',
  'Regen, Regen, Regen.\n\nDann, um fünf, ein Loch in den Wolken: *alles* gold.',
  'On s’est perdus trois fois. « C’est par là », disait-on — <em>non</em>.',
  'وصلنا متأخرين ولكن البحر كان في انتظارنا',
  'לא ישנו כמעט, אבל השוק היה שווה את זה',
  'Short & sweet.',
  '雨の寺。静かだった。',
] as const

export const longStory =
  'We walked on. The path went up, then down, then up again; the map said otherwise. Ahora sí: el mar.\n\n'
    .repeat(200)
    .slice(0, 20_000)

/** Where there is nothing on the atlas. */
export const unmapped = ['Somewhere at sea', 'Zelt am Waldrand', 'على الطريق'] as const

export const files = [
  'harbour.jpg',
  'Straße%20bei%20Nacht.jpg',
  'DSC_0412.JPG',
  'market.webp',
  'boat.mp4',
  'rain.mov',
] as const

export const followerNames = [
  'Anna Müller',
  'Siobhán O’Connor',
  'محمد العلوي',
  'Đặng Thị Hà',
  'Ελένη Παππά',
  'Liam "Lee" <x>',
  'שרה לוי',
  'Chloé García Márquez',
] as const

export const remarkWords = [
  'Take me with you!',
  'Was für ein Licht. Welche Kamera?',
  'Bring back <b>socks</b> & cheese',
  'ما أجمل هذا المكان',
  'תהנו!',
  '❤️',
  'On y était en 1987, rien n’a changé.\nEmbrasse ta mère.',
] as const

export const answerWords = [
  'Thank you!',
  'Nächstes Mal kommst du mit.',
  'شكرا جزيلا',
  'The blue one, by the door.',
] as const
