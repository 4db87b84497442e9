import type { Trace } from '../../../connectors/authoring/trace.ts'
import { recorded, traced } from './traces.ts'

export const page = (body: string, head = ''): string =>
  `<!doctype html><html><head><meta charset="utf-8">${head}</head><body><nav class="nav"><ul><li><a href="/a">Home page</a></li><li><a href="/b">Other page</a></li></ul></nav><main>${body}</main></body></html>`

const railsForm = (project: number): string =>
  page(`<h1>New task</h1><form class="new_task" id="new_task" action="/projects/${project}/tasks" method="post">
  <input type="hidden" name="authenticity_token" value="SECRET.authenticity_token">
  <label for="task_title">Title</label><input type="text" name="task[title]" id="task_title" required maxlength="80">
  <label for="task_hours">Hours</label><input type="number" name="task[hours]" id="task_hours" min="0" max="40">
  <label for="task_due">Due</label><input type="date" name="task[due]" id="task_due">
  <label for="task_kind">Kind</label><select name="task[kind]" id="task_kind"><option value="bug">Bug</option><option value="idea">Idea</option></select>
  <label for="task_owner">Owner</label><select name="task[owner]" id="task_owner"></select>
  <input type="hidden" name="task[urgent]" value="0"><input type="checkbox" name="task[urgent]" value="1" id="u"><label for="u">Urgent</label>
  <input type="submit" name="commit" value="Create task"></form>`)

const railsTask = (
  project: number,
  task: number,
  { title, kind, hours }: { title: string; kind: string; hours: string },
) =>
  traced('add_task', [
    [`GET /projects/${project}`, page(`<h1>Project ${project}</h1>`)],
    [`GET /projects/${project}/tasks/new`, railsForm(project)],
    ['POST /metrics/collect', {}, { body: { page: project }, by: 'script' }],
    [
      `POST /projects/${project}/tasks`,
      `302 /projects/${project}/tasks/${task}`,
      {
        body: new URLSearchParams([
          ...[
            ['authenticity_token', 'SECRET.authenticity_token'],
            ['task[title]', title],
            ['task[hours]', hours],
            ['task[due]', '2026-12-01'],
          ],
          ...[
            ['task[kind]', kind],
            // A script of the page loads who may own one.
            ['task[owner]', kind === 'bug' ? 'ann' : 'bo'],
            ['task[urgent]', '0'],
            ['commit', 'Create task'],
          ],
        ]).toString(),
      },
    ],
    [`GET /projects/${project}/tasks/${task}`, page(`<h1>${title}</h1>`)],
  ])

const wordpressComment = (post: number, comment: string) =>
  traced('comment_post', [
    [
      `GET /archives/${post}`,
      page(`<h1 class="entry-title">Post ${post}</h1><form action="/wp-comments-post.php" method="post" id="commentform" class="comment-form">
      <p><label for="comment">Comment <span>*</span></label><textarea id="comment" name="comment" maxlength="65525" required></textarea></p>
      <input name="submit" type="submit" value="Post Comment"><input type="hidden" name="comment_post_ID" value="${post}">
      <input type="hidden" name="_wpnonce" value="SECRET._wpnonce"></form>`),
    ],
    [
      'POST /wp-comments-post.php',
      `302 /archives/${post}`,
      {
        body: `comment=${encodeURIComponent(comment)}&submit=Post+Comment&comment_post_ID=${post}&_wpnonce=SECRET._wpnonce`,
      },
    ],
  ])

const shell = '<meta name="csrf-token" content="SECRET.csrf-token">'

const invite = (team: number, email: string, role: string) =>
  traced('invite_member', [
    [`GET /teams/${team}`, page('<div id="root"></div>', shell)],
    [`GET /api/teams/${team}`, { team: { id: team, version: team * 3, name: `Team ${team}` } }],
    ['POST /api/heartbeat', {}, { body: {}, by: 'script' }],
    [
      `POST /api/teams/${team}/invitations`,
      { invitation: { id: team * 100, email, accepted: false, role, note: null } },
      {
        body: { email, role, version: team * 3, notify: true },
        headers: { 'x-csrf-token': 'SECRET.csrf-token', 'x-requested-with': 'XMLHttpRequest' },
      },
    ],
  ])

const shopItem = (id: number, name: string): string =>
  `<li class="product css-1x2y3z" data-product-id="${id}"><h3><a href="/products/${id}">${name}</a></h3><span class="price">${id}.50</span><span class="label">In stock</span><time datetime="2026-11-${id}">Today</time></li>`

const products = (query: string, at: number, names: readonly string[]) =>
  traced('list_products', [
    [
      `GET /products?q=${query}${at === 1 ? '' : `&page=${at}`}`,
      page(`<h1>Products</h1>${names.length === 0 ? '<p class="no-results">Nothing.</p>' : `<ul class="products">${names.map((name, index) => shopItem(index + 11, name)).join('')}</ul>`}
      ${names.length > 0 ? `<div class="paging"><a rel="next" href="/products?q=${query}&amp;page=${at + 1}">Next</a></div>` : ''}`),
    ],
  ])

const orders = (state: string, next: string | null) =>
  traced('list_orders', [
    ['GET /orders', page('<div id="app"></div>')],
    [
      `GET /api/orders?state=${state}&limit=20`,
      {
        items: [
          { id: 7, total: 12.5, paid: true, note: null, customer: { name: 'Ann', vip: false }, tags: ['a'] },
          { id: 8, total: 3, paid: false, note: 'x', customer: { name: 'Bo', vip: true }, tags: [] },
        ],
        next_cursor: next,
      },
    ],
  ])

const profile = (id: number, name: string, city: string) =>
  traced('get_customer', [
    [
      `GET /customers/${id}`,
      page(`<h1>${name}</h1><dl><dt>City</dt><dd>${city}</dd><dt>Visits</dt><dd>${id}</dd></dl>
      <table><tr><th>Phone</th><td>555-${id}</td></tr><tr><th>Mail</th><td><span itemprop="email">${name}@example.org</span></td></tr></table>
      <p class="intro">Always the same words.</p><p class="about">${name} lives in ${city}.</p>`),
    ],
  ])

/** The words of an address beside an id are for people alone. */
const topic = (id: number, slug: string, title: string) =>
  [
    `GET /topics/${id}/${slug}/`,
    page(`<h1>${title}</h1><form class="reply" action="/topics/${id}/replies" method="post">
  <textarea name="text" required></textarea><button>Reply</button></form>`),
  ] as const
const reply = (id: number, slug: string, text: string) =>
  traced('reply_topic', [
    topic(id, slug, `Topic ${id}`),
    [`POST /topics/${id}/replies`, `302 /topics/${id}/${slug}/`, { body: new URLSearchParams({ text }).toString() }],
    topic(id, slug, `Topic ${id}`),
  ])

/** A tracker whose addresses have a word and a number in one, and whose scripts ask for something beside. */
const ticket = (number: number, title: string) =>
  [
    `GET /ticket${number}`,
    page(`<h1>${title}</h1><p>${'Somebody wrote this a while ago. '.repeat(15)}</p><form name="edit" method="post" action="ticket${number}">
  <textarea name="note"></textarea><input type="submit" name="send" value="Send"></form>`),
  ] as const
const tickets = [
  'GET /ticket',
  page(
    `<p>${'Somebody wrote this a while ago. '.repeat(15)}</p><table class="list"><tr><th>Number</th><th>Title</th></tr>${['Lamp', 'Door', 'Roof'].map((one, at) => `<tr class="${at < 2 ? 'normal' : 'alt'}"><td>${at + 4}</td><td><a href="ticket${at + 4}">${one}</a></td></tr>`).join('')}</table>`,
  ),
] as const
const rest = ['GET /rest', { there: true }, { by: 'script' }] as const
const noted = (number: number, note: string) =>
  traced('note_on_ticket', [
    ticket(number, `Ticket ${number}`),
    rest,
    [
      `POST /ticket${number}`,
      `302 /ticket${number}`,
      { body: new URLSearchParams({ note, send: 'Send' }).toString(), by: 'form' },
    ],
    rest,
  ])

/** A page of many forms, each with a token of its own, one of which a script completes. */
const answered = (thread: number, text: string) =>
  traced('answer_thread', [
    [
      `GET /threads/${thread}`,
      page(
        ['hide', 'answer', 'follow']
          .map(
            (to, at) =>
              `<form class="to-${to}" method="post" action="/threads/${thread}/${to}"><input type="hidden" name="guard_token" value="SECRET.guard_token.${thread}${at}"><button>${to}</button></form>`,
          )
          .join(''),
      ),
    ],
    [
      `POST /threads/${thread}/answer`,
      `302 /threads/${thread}`,
      { body: new URLSearchParams({ guard_token: `SECRET.guard_token.${thread}1`, text }).toString(), by: 'form' },
    ],
  ])

/** A page of an app that has one path for everything: its form is at an address with a name that people type, and a script fills a field. */
const wikiEdit = (title: string, text: string): Trace =>
  traced('edit_wiki', [
    [
      `GET /index.php?title=${encodeURIComponent(title)}&action=edit`,
      page(`<form id="editor" method="post" action="/index.php?title=${encodeURIComponent(title)}&amp;action=submit">
        <input type="hidden" name="scrolled" value=""><input type="hidden" name="editToken" value="SECRET.editToken">
        <label for="text">Words</label><textarea id="text" name="text"></textarea></form>`),
    ],
    [
      `POST /index.php?title=${encodeURIComponent(title)}&action=submit`,
      `302 /index.php/${encodeURIComponent(title)}`,
      { body: new URLSearchParams({ scrolled: '0', editToken: 'SECRET.editToken', text }).toString(), by: 'form' },
    ],
  ])

/** Doings of real shape: the first word is the endpoint's name. */
export const doings: Readonly<Record<string, readonly Trace[]>> = {
  add_task: [
    railsTask(7, 91, { title: 'Fix the door', kind: 'bug', hours: '3' }),
    railsTask(8, 92, { title: "Paint 'it' blue", kind: 'idea', hours: '5' }),
  ],
  comment_post: [wordpressComment(12, 'Lovely.'), wordpressComment(15, 'Lovely\r\ntoo.')],
  invite_member: [invite(3, 'ann@example.org', 'admin'), invite(4, 'bo@example.org', 'guest')],
  list_products: [
    products('tea', 1, ['Green tea', 'Black tea', 'Mint tea']),
    products('cup', 2, ['Blue cup', 'Red cup']),
    products('sofa', 1, []),
  ],
  edit_wiki: [wikiEdit('Sourdough', 'Flour and water.'), wikiEdit('Rye bread', 'Dark.')],
  list_orders: [orders('open', 'c2'), orders('paid', null)],
  get_customer: [profile(31, 'Ann', 'Porto'), profile(32, 'Bo', 'Faro')],
  get_topic: [
    traced('get_topic', [topic(12, 'how-to-bake', 'How to bake')]),
    traced('get_topic', [topic(15, 'which-flour-is-best', 'Which flour is best')]),
  ],
  get_member: [
    traced('get_member', [['GET /users/4/ada', page('<h1>Ada</h1>')]]),
    traced('get_member', [['GET /users/7/max', page('<h1>Max</h1>')]]),
  ],
  list_states: [
    traced('list_states', [
      [
        'GET /projects/4/open',
        {
          items: [
            { id: 1, name: 'Tea' },
            { id: 2, name: 'Cup' },
          ],
        },
      ],
    ]),
    traced('list_states', [
      [
        'GET /projects/5/closed',
        {
          items: [
            { id: 3, name: 'Pot' },
            { id: 4, name: 'Pan' },
          ],
        },
      ],
    ]),
  ],
  list_tickets: [traced('list_tickets', [tickets, rest])],
  list_remarks: ['4', '6'].map((id) =>
    traced('list_remarks', [
      ticket(Number(id), `Ticket ${id}`),
      [
        `GET /api/post_remarks?post=${id}`,
        [
          { id: Number(id) * 10, text: 'First of all' },
          { id: Number(id) * 10 + 1, text: 'And then' },
        ],
        { by: 'script' },
      ],
    ]),
  ),
  answer_thread: [answered(4, 'Two spoons.'), answered(6, 'Three.')],
  get_ticket: [
    traced('get_ticket', [tickets, rest, ticket(4, 'Lamp'), rest]),
    traced('get_ticket', [ticket(5, 'Door'), rest, rest]),
  ],
  note_on_ticket: [noted(4, 'It flickers.'), noted(6, 'Rain comes in.')],
  reply_topic: [reply(12, 'how-to-bake', 'Slowly.'), reply(15, 'which-flour-is-best', 'All of them are.')],
  ask_question: [recorded('askbot', 'ask_question', 'success')],
  add_comment: [recorded('askbot', 'add_comment', 'success')],
  list_questions: [recorded('askbot', 'list_questions', 'success')],
  get_question: [recorded('askbot', 'get_question', 'success'), recorded('askbot', 'get_question', 'closed')],
  list_answers: [recorded('askbot', 'list_answers', 'success')],
  list_tags: [recorded('askbot', 'list_tags', 'success')],
  comment_order: [recorded('pretix', 'comment_order', 'kept-fields')],
  list_events: [recorded('pretix', 'list_events', 'all')],
  get_order: [recorded('pretix', 'get_order', 'pending'), recorded('pretix', 'get_order', 'to-approve')],
  list_attendees: [recorded('pretix', 'list_attendees', 'here')],
  list_quotas: [recorded('pretix', 'list_quotas', 'all')],
  list_vouchers: [recorded('pretix', 'list_vouchers', 'all')],
}

const evil = "');OWNED();('`${OWNED()}*/OWNED()//\\\n</script>\u2028\u202e"
const attribute = evil.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const evilForm = (title: string): Trace => {
  const names = ['__proto__', 'constructor', 'class', evil, 'größe', 'a]b"c', 'undecided', 'toString']
  const fields = names.map(
    (name, at) =>
      `<label for="f${at}">${attribute}</label><input id="f${at}" name="${name === evil ? attribute : name.replaceAll('"', '&quot;')}" placeholder="${attribute}">`,
  )
  const body = new URLSearchParams([
    ...names.map((name) => [name, name === '__proto__' ? '' : `${title} ${name === evil ? 'x' : name}`]),
    ['go', evil],
  ]).toString()
  return traced('save_note', [
    [
      'GET /notes/new',
      page(
        `<form method="post" action="/notes" id="${attribute}" class="${attribute} f">${fields.join('')}<button name="go" value="${attribute}">Go</button></form>`,
      ),
    ],
    ['POST /notes', `302 /notes/${title.length}`, { body }],
  ])
}

const evilList = (): Trace =>
  traced('list_evils', [
    [
      'GET /evils',
      page(`<h1>${attribute}</h1><table id="rows"><tr><th>${attribute}</th><th>constructor</th><th>Name</th></tr>
      ${[1, 2, 3].map((at) => `<tr data-x="${attribute}"><td>${attribute} ${at}</td><td>b ${at}</td><td class="${attribute}"><a href="/ev/${at}${encodeURIComponent(evil)}">c ${at}</a></td></tr>`).join('')}</table>`),
    ],
  ])

const evilJson = (to: string): Trace =>
  traced('send_evil', [
    [
      'POST /api/send',
      JSON.parse(
        JSON.stringify({ ok: true }).replace(
          '}',
          `,"__proto__":{"a":"${to}"},${JSON.stringify(evil)}:"x","constructor":"y"}`,
        ),
      ),
      {
        body: JSON.parse(
          `{"__proto__":"${to}","constructor":{"prototype":"${to}1"},${JSON.stringify(evil)}:"${to}2","fixed":${JSON.stringify(evil)}}`,
        ) as object,
      },
    ],
  ])

/** Pages whose texts would be code if they stood in it as they are. */
export const hostile: Readonly<Record<string, readonly Trace[]>> = {
  save_note: [evilForm('One'), evilForm('Three')],
  list_evils: [evilList()],
  send_evil: [evilJson('ann'), evilJson('bob')],
}

/** What is to stand in the blocks. */
export const read: readonly (readonly [name: string, ...parts: string[]])[] = [
  [
    'add_task',
    "selector: 'form#new_task'",
    "volatile: ['authenticity_token']",
    "scripted: ['task[owner]']",
    "oneOf(['bug', 'idea']",
    'minimum: 0, maximum: 40',
    "page: 'GET /projects/{project_id}/tasks/new'",
    "title: labelled('Title'",
  ],
  ['get_topic', "request: 'GET /topics/{topic_id}/-/'", 'topic_id: input.topic_id'],
  ['get_member', "request: 'GET /users/{user_id}/-'"],
  [
    'list_tickets',
    "at.all('.list tr:has(> td:nth-of-type(2))",
    'ticket_id:',
    String.raw`/(?:^|\/)ticket(\d+)/.exec(one.select(`,
  ],
  ['list_remarks', "request: 'GET /api/post_remarks'"],
  ['answer_thread', "csrf: formToken({ page: '/threads/{thread_id}', field: 'guard_token' })", 'form: { text }'],
  ['get_ticket', "request: 'GET /ticket{ticket_id}'", "id('ticket'"],
  [
    'note_on_ticket',
    "request: 'POST /ticket{ticket_id}'",
    "page: 'GET /ticket{ticket_id}'",
    String.raw`/^ticket(?<ticket_id>\d+)$/`,
  ],
  ['list_states', "request: 'GET /projects/{project_id}/{"],
  ['reply_topic', "page: 'GET /topics/{topic_id}/-/'", "request: 'POST /topics/{topic_id}/replies'"],
  [
    'comment_post',
    "selector: 'form#commentform'",
    "volatile: ['_wpnonce']",
    'set: ({ comment }) => ({ comment })',
    "page: 'GET /archives/{archive_id}'",
  ],
  [
    'invite_member',
    "headerToken({ page: '/teams/{team_id}', meta: 'csrf-token', header: 'x-csrf-token' })",
    "request: 'GET /api/teams/{team_id}'",
    "format: 'email'",
    'notify: true',
  ],
  [
    'list_products',
    "at.all('.product', { emptyWhen: '.no-results' })",
    "one.attribute('data-product-id')",
    'a[rel~="next"]',
    'page: anchor',
    "attribute('datetime')",
  ],
  ['edit_wiki', "query: { title: '{title}', action: 'edit' }", "set: ({ text }) => ({ scrolled: '0', text })"],
  ['list_orders', 'cursor: anchor', "order_id: refTo('order')", 'note: NullableText'],
  ['get_customer', `dt:contains("City") + dd`, `th:contains("Phone") + td`, "select('.about')"],
  ['get_question', "request: 'GET /question/{question_id}/'"],
  ['ask_question', "selector: 'form.js-ask-form'", "submit: { name: 'post'", '(?<question_id>[^/]+)'],
  [
    'comment_order',
    'form[action$="/comment"]',
    "request: 'POST /control/event/linden/sommer/orders/{order_id}/comment'",
  ],
  ['list_events', 'refTo('],
]
