/**
 * A web shop for a small chandlery, over four months: payments, stock, a slow search, a bug in
 * rounding.
 */
import { claude, type Story, tool, user } from './story.ts';

const CENTS = 'Money is kept in integer cents everywhere; no floats.';
const NO_MAIN = 'Never push to main; every change goes through a pull request.';
const KEYS = 'Every call to Stripe that creates something carries an idempotency key.';

export const shopStory: Story = {
  name: 'harbour-store',
  sections: {
    'Core Decisions': [
      '- Postgres is the only source of truth; Redis holds nothing that cannot be lost.',
      '- Money is integer cents, in code, in the database and on the wire.',
      '- The checkout has one page and no account wall.',
    ].join('\n'),
    'Current State':
      '- Version: 2.4.0\n- Status: gift cards behind a flag, live for staff\n- Last updated: ',
    'Known Issues': [
      '- Safari 17 loses the focus ring on the quantity stepper.',
      '- Importing the supplier list takes 40 s; nobody has looked at it yet.',
    ].join('\n'),
  },
  sessions: [
    {
      daysAgo: 112,
      at: '08:10',
      lines: [
        user(
          'Before we write anything: money is kept in integer cents everywhere, no floats. I had a shop that was off by a cent for a year.',
          {
            kind: 'decision',
            content: CENTS,
            quote: 'money is kept in integer cents everywhere, no floats',
            keywords: ['money', 'cents'],
          },
        ),
        claude(
          'Understood. I will put a Money type into src/money.ts that only takes integers and let the compiler hold it.',
          {
            kind: 'pattern',
            content: 'The Money type in src/money.ts only takes integers; the compiler holds it.',
            files: ['src/money.ts'],
            keywords: ['money'],
          },
        ),
        tool('Write', 'src/money.ts', 'File created successfully at: src/money.ts'),
        user('And never push to main. Every change goes through a pull request, also yours.', {
          kind: 'decision',
          content: NO_MAIN,
          keywords: ['git', 'review'],
        }),
        claude(
          'Noted: branches and pull requests only. The first one is open: money type with tests for rounding of VAT.',
        ),
      ],
      summary:
        'The project began. Money is integer cents (src/money.ts holds it by type), and everything goes through pull requests. The first one has the Money type with tests for the rounding of VAT.',
    },
    {
      daysAgo: 97,
      at: '13:30',
      lines: [
        user(
          'We take Postgres, one database, and Redis only for what may be lost: sessions and rate limits.',
          {
            kind: 'decision',
            content:
              'Postgres is the one database; Redis only holds what may be lost, such as sessions and rate limits.',
            reason: 'One thing to back up.',
            keywords: ['postgres', 'redis'],
          },
        ),
        claude(
          'Then the cart has to live in Postgres too. I would key it by a cookie and merge it on login.',
          {
            kind: 'pattern',
            content: 'The cart lives in Postgres, keyed by a cookie, and is merged on login.',
            keywords: ['cart', 'login'],
          },
        ),
        tool('Bash', 'npm run migrate', 'applied 0003_cart.sql in 41 ms'),
        user('Good. Cart rows older than 60 days can go, run that at night.', {
          kind: 'decision',
          content: 'Cart rows older than 60 days are deleted at night.',
          keywords: ['cart', 'retention'],
        }),
      ],
      summary:
        'Postgres is the one database, Redis only for what may be lost. The cart moved into Postgres (0003_cart.sql), keyed by a cookie and merged on login; rows older than 60 days go at night.',
    },
    {
      daysAgo: 80,
      at: '09:05',
      lines: [
        user(
          'Stripe it is. Every call to Stripe that creates something carries an idempotency key, we retry a lot on the ferry wifi.',
          {
            kind: 'decision',
            content: KEYS,
            quote: 'Every call to Stripe that creates something carries an idempotency key',
            reason: 'The wifi on the ferry makes clients retry.',
            keywords: ['stripe', 'payments', 'idempotency'],
          },
        ),
        claude(
          'The key is the order id plus the attempt number, so a second click does not charge twice but a second card can be tried.',
          {
            kind: 'pattern',
            content:
              'The idempotency key is the order id plus the attempt number: a second click does not charge twice.',
            keywords: ['stripe', 'idempotency'],
          },
        ),
        tool(
          'Bash',
          'npm test -- payments',
          'Test Files  4 passed (4)\n     Tests  31 passed (31)',
        ),
        user('Webhooks: verify the signature first, answer 200, then do the work from a queue.', {
          kind: 'decision',
          content: 'Webhooks are verified, answered with 200, and worked off from a queue.',
          keywords: ['webhook', 'queue'],
        }),
      ],
      summary:
        'Payments by Stripe. Creating calls carry an idempotency key made of order id and attempt. Webhooks are verified, answered at once and worked off from a queue. 31 tests.',
    },
    {
      daysAgo: 64,
      at: '10:20',
      lines: [
        user(
          'Customers see 12.00 € in the cart and 12.01 € in the mail. It must be somewhere after the discount.',
          {
            kind: 'issue',
            content: 'The cart shows 12.00 € and the mail 12.01 €, somewhere after the discount.',
            keywords: ['discount', 'rounding', 'mail'],
          },
        ),
        tool(
          'Grep',
          'toFixed src/mail',
          'src/mail/receipt.ts:48:  const total = (net * 1.19).toFixed(2)',
        ),
        claude(
          'Found it: src/mail/receipt.ts multiplies floats again instead of using Money. The cart rounds per line, the mail rounded the sum.',
          {
            kind: 'note',
            content: 'The cart rounds per line; the mail rounded the sum in src/mail/receipt.ts.',
            files: ['src/mail/receipt.ts'],
            keywords: ['rounding', 'mail'],
          },
        ),
        tool('Edit', 'src/mail/receipt.ts', 'The file src/mail/receipt.ts has been updated.'),
        user(
          'Right, and again: money is kept in integer cents everywhere, no floats. Please add a lint rule against toFixed on prices.',
          {
            kind: 'decision',
            content: CENTS,
            quote: 'money is kept in integer cents everywhere, no floats',
          },
        ),
        claude(
          'Done: the cart shows 12.00 € and the mail 12.01 € no longer, both use Money now, and a lint rule forbids toFixed outside src/money.ts.',
          {
            kind: 'issue',
            content: 'The cart shows 12.00 € and the mail 12.01 €, somewhere after the discount.',
            quote: 'both use Money now, and a lint rule forbids toFixed',
            status: 'resolved',
            resolution: 'Both use Money now, and a lint rule forbids toFixed outside src/money.ts.',
            files: ['src/money.ts'],
          },
        ),
      ],
      summary:
        'A cent was off between cart and mail: src/mail/receipt.ts multiplied floats. Both use Money now, rounded per line, and a lint rule forbids toFixed outside src/money.ts.',
    },
    {
      daysAgo: 45,
      at: '14:45',
      lines: [
        user('The search over 18,000 articles takes two seconds on the tablet at the counter.', {
          kind: 'issue',
          content:
            'The search over 18,000 articles takes two seconds on the tablet at the counter.',
          keywords: ['search', 'performance'],
        }),
        tool(
          'Bash',
          'psql -c "explain analyze select * from article where name ilike \'%shackle%\'"',
          'Seq Scan on article (actual time=0.02..1840.31 rows=212)',
        ),
        claude(
          'It is a sequential scan over names. A trigram index on article.name brings it to 9 ms here.',
          {
            kind: 'pattern',
            content:
              'Article search uses a trigram index on article.name; 9 ms instead of a sequential scan.',
            keywords: ['search', 'postgres', 'trigram'],
          },
        ),
        user('Take it. No Elasticsearch, we are three people.', {
          kind: 'decision',
          content: 'No Elasticsearch: three people cannot look after it.',
          keywords: ['search'],
        }),
        tool('Bash', 'npm run migrate', 'applied 0011_article_trgm.sql in 2.1 s'),
        claude(
          'The search over 18,000 articles takes 9 ms now instead of two seconds, also on the tablet.',
          {
            kind: 'issue',
            content:
              'The search over 18,000 articles takes two seconds on the tablet at the counter.',
            status: 'resolved',
            resolution: 'A search takes 9 ms now.',
          },
        ),
        user(
          'Merge it by pull request please. Never push to main; every change goes through a pull request.',
          {
            kind: 'decision',
            content: NO_MAIN,
            quote: 'Never push to main; every change goes through a pull request.',
          },
        ),
      ],
      summary:
        'Search was a sequential scan; a trigram index on article.name (0011_article_trgm.sql) makes it 9 ms. No Elasticsearch: three people cannot look after it.',
    },
    {
      daysAgo: 23,
      at: '07:50',
      lines: [
        user('Sessions last seven days, then people log in again.', {
          kind: 'decision',
          content: 'Sessions last seven days.',
          keywords: ['session', 'login'],
        }),
        claude(
          'Cookie max-age is seven days, sliding. Logged-in carts survive because they hang on the customer.',
        ),
        tool('Edit', 'src/auth/session.ts', 'The file src/auth/session.ts has been updated.'),
        user(
          'For gift cards: a card is a ledger of its own, never a column with a balance. And every call to Stripe that creates something carries an idempotency key, refunds too.',
          {
            kind: 'decision',
            content: 'A gift card is a ledger of its own, never a column with a balance.',
            quote: 'a card is a ledger of its own, never a column with a balance',
            keywords: ['gift card', 'ledger'],
          },
          {
            kind: 'decision',
            content: KEYS,
            quote: 'every call to Stripe that creates something carries an idempotency key',
          },
        ),
        claude(
          'The balance of a gift card is the sum over gift_card_entry, guarded by a check that it never goes below zero.',
          {
            kind: 'pattern',
            content:
              'The balance of a gift card is the sum over gift_card_entry and never goes below zero.',
            keywords: ['gift card', 'ledger'],
          },
        ),
      ],
      summary:
        'Sessions last seven days, sliding. Gift cards are a ledger (gift_card_entry) and never a balance column; refunds carry idempotency keys as well.',
    },
    {
      daysAgo: 6,
      at: '12:15',
      lines: [
        user(
          'Support says people are logged out on holiday. Make it thirty days: sessions last thirty days from now on.',
          {
            kind: 'decision',
            content: 'Sessions last thirty days.',
            quote: 'sessions last thirty days from now on',
            keywords: ['session', 'login'],
            replaces: 'Sessions last seven days.',
          },
        ),
        tool('Edit', 'src/auth/session.ts', 'The file src/auth/session.ts has been updated.'),
        claude(
          'Done, with a test that goes thirty days ahead. Two places had the old number: the cookie and the nightly clean-up.',
        ),
        user('The quantity stepper loses its focus ring in Safari 17. Not urgent.', {
          kind: 'issue',
          content: 'The quantity stepper loses its focus ring in Safari 17.',
          keywords: ['safari', 'focus', 'accessibility'],
        }),
        claude(
          'I could not reproduce it in WebKit from Playwright; it may be the :focus-visible heuristics of Safari 17.',
        ),
      ],
      summary:
        'Sessions last thirty days now (support: people were logged out on holiday). The quantity stepper loses its focus ring in Safari 17; not reproduced in WebKit.',
    },
    {
      daysAgo: 1,
      at: '09:20',
      lines: [
        user(
          'Gift cards go live for staff today, behind the flag gift_cards. Keep money in integer cents everywhere, no floats, also in the ledger.',
          {
            kind: 'decision',
            content: 'Gift cards go live for staff first, behind the flag gift_cards.',
            quote: 'Gift cards go live for staff today, behind the flag gift_cards',
            keywords: ['gift card', 'flag'],
          },
          {
            kind: 'decision',
            content: CENTS,
            quote: 'money in integer cents everywhere, no floats',
          },
        ),
        tool('Bash', 'npm test', 'Test Files  38 passed (38)\n     Tests  412 passed (412)'),
        claude(
          '412 tests pass. The flag is read once per request, so that one checkout never sees both worlds.',
          {
            kind: 'pattern',
            content:
              'A flag is read once per request, so that one checkout never sees both worlds.',
            keywords: ['flag', 'checkout'],
          },
        ),
        user('Importing the supplier list takes 40 s. Put it on the list, do not touch it now.', {
          kind: 'issue',
          content: 'Importing the supplier list takes 40 s.',
          keywords: ['import', 'performance'],
        }),
        user(
          'Pull request as always. Never push to main; every change goes through a pull request.',
          {
            kind: 'decision',
            content: NO_MAIN,
            quote: 'Never push to main; every change goes through a pull request.',
          },
        ),
        claude(
          'Opened: "Gift cards for staff", with the migration separated so that it can be rolled back alone.',
          {
            kind: 'note',
            content: 'The gift card migration is separated so that it can be rolled back alone.',
            keywords: ['gift card', 'migration'],
          },
        ),
        claude(
          'Topping up goes through the same client, so every call to Stripe that creates something carries an idempotency key there too.',
          {
            kind: 'decision',
            content: KEYS,
            quote: 'every call to Stripe that creates something carries an idempotency key',
          },
        ),
      ],
      summary:
        'Gift cards are live for staff behind the flag gift_cards, read once per request. 412 tests pass. The migration can be rolled back alone. Importing the supplier list takes 40 s and waits.',
    },
  ],
};
