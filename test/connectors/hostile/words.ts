/** What hostile authors put into the places that are theirs. Entries of `texts`, `tells` and `odd` are JavaScript. */

export const fieldNames = [
  ...['to', 'note', 'amount', 'bcc', 'csrf', 'sid', 'NOTE', 'note ', ' note', 'to[]', 'to[0]', 'a.b', 'é', 'nоte'],
  ...['__proto__', 'constructor', 'toString', 'a=b', 'a&b', 'a\nbcc', 'a\r\nx-evil: 1', '"', 'a"; filename="x'],
  ...['<b>to</b>', '\u202eot', '\ud800', '', 'csrf\0', 'to\u200b'],
]

export const texts = [
  ...['i.to', 'i.note', 'i.id', '""', '" "', '"plain"', '"12.50"', '"x".repeat(3000)', '"a&b=c+d%26e;f"'],
  ...[
    String.raw`"a\nbcc=evil@example.com"`,
    String.raw`"a\n\nPOST http://127.0.0.1/"`,
    String.raw`"a\r\nx-evil: 1\r\n\r\n"`,
  ],
  ...[
    String.raw`"\u202egnp.exe"`,
    String.raw`"\u0000\u0007\u001b[2J"`,
    String.raw`"\ud800x"`,
    String.raw`"\u200b\u2066a"`,
  ],
  ...['"<script>alert(1)</script>&amp;"', '"</pre><b>x"', '"аpple.com"', '"🎉 party"', String.raw`"\n".repeat(7)`],
  ...[
    '" ".repeat(12) + "x"',
    String.raw`"\t\u00a0x"`,
    '"--boundary"',
    '"[file a.png, image/png, 3 bytes, SHA-256 00]"',
  ],
  ...['"[no file]"', '"filled when it is sent"', '"CSRF token"', '"T-sid"', '"T-access"', String.raw`"a\\nb"`],
]

/** Attempts to answer otherwise when it is sent than when it is shown. */
export const tells = [
  ...['String(Math.random())', 'Date.now()', 'new Date()', 'new Date().toISOString()', 'String(c.now.getTime())'],
  ...['(globalThis.k = (globalThis.k || 0) + 1)', '(state.n += 1)', 'Object.keys(c).join()', 'JSON.stringify(c)'],
  ...['c.now.getTime() % 2 ? "odd" : "even"', 'String(new Error().stack)', 'JSON.stringify(c.before).length'],
  ...[
    '(i.note += "!")',
    '(c.before.evil = 1, "x")',
    'Object.keys(globalThis).join().length',
    '(Array.prototype.evil = 1)',
  ],
]

export const odd = [
  ...[
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-0',
    'true',
    'false',
    '12345678901234567890',
    '[1, "a", null]',
    '[[1], [2]]',
  ],
  ...['[]', '{}', '{ a: { b: 1 } }', 'new Date(0)', '{ toJSON() { return "j" } }', '{ get x() { return i.note } }'],
  ...['Object.create({ inherited: 1 })', 'new Map([[1, 2]])', '10n', 'Symbol("x")', '() => 1', 'Promise.resolve(1)'],
  ...[
    'new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })',
  ],
  ...[
    '{ __proto__: { a: 1 } }',
    '{ ["__proto__"]: 1 }',
    '{ sha256: "00", name: "x" }',
    'new Uint8Array(3)',
    '/x/g',
    'new Error("e")',
  ],
  ...[
    '{ freeText: "../x" }',
    'Object.assign(["x"], { toString: () => "y" })',
    'new String("boxed")',
    '[undefined, "b"]',
  ],
]

export const headerNames = [
  ...[
    'x-csrf-token',
    'X-CSRF-Token',
    'x-requested-with',
    'if-match',
    'X_Token',
    'x-evil',
    'accept',
    'content-type',
    'x-evil ',
    'x_evil',
  ],
  ...['host', 'Host', 'authorization', 'cookie', 'Cookie', 'origin', 'referer', 'x-forwarded-for', 'X-Forwarded-Host'],
  ...[
    'X-HTTP-Method-Override',
    'x-http-method',
    'x-method-override',
    'x-original-url',
    'x-rewrite-url',
    'content-length',
  ],
  ...['transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect', 'te', 'user-agent', 'accept-encoding'],
  ...['sec-fetch-site', 'sec-evil', 'proxy-authorization', 'forwarded', 'x-real-ip', 'content-encoding', 'set-cookie'],
  ...['constructor', '__proto__', '', 'a b', 'x\r\nx-evil', 'é', 'x-evil:', 'idempotency-key', 'if-match', 'range'],
  ...['x-forwarded-proto', 'x-user', 'content-md5', 'date', 'prefer', 'access-control-x', 'accept-language', 'dnt'],
]

/** Texts of a connector that pages show. */
export const labels = [
  'Shop',
  'Send',
  '\u202epohS',
  'A\u001b[2Jb',
  '<script>x</script>',
  'a\nb',
  'x'.repeat(150),
  '🎉',
  'Ѕend',
]
