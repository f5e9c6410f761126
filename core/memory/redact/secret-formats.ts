/** Secrets of a recognisable form, whatever is around them: the whole match is the secret (M18). */
import { type RedactionRule, rule } from './word-finder.ts';

export const SECRET_FORMATS: readonly RedactionRule[] = [
  rule(/\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g, 'akia|asia|abia|acca'), // AWS key ids
  rule(/\b(?:ghp|gho|ghu|ghs|ghr)_[0-9A-Za-z]{30,}\b/g, 'ghp_|gho_|ghu_|ghs_|ghr_'),
  rule(/\bgithub_pat_[0-9A-Za-z_]{30,}\b/g, 'github_pat_'),
  rule(
    /\bgl(?:pat|dt|rt|cbt|ptt|soat)-[0-9A-Za-z_-]{16,}/g,
    'glpat-|gldt-|glrt-|glcbt-|glptt-|glsoat-',
  ),
  rule(/\bxox[abeprs]-[0-9A-Za-z-]{16,}/g, 'xox'),
  rule(/\bxapp-\d-[0-9A-Za-z-]{16,}/g, 'xapp-'),
  rule(
    /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[0-9A-Za-z/_-]{16,}/g,
    'hooks.slack.com',
  ),
  rule(/(?<=discord(?:app)?\.com\/api\/webhooks\/)[0-9A-Za-z/_-]{16,}/g, '/api/webhooks/'),
  rule(/\b(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,}\b/g, 'k_live_|k_test_'),
  rule(/\b(?:live|test)_g?sk_[0-9A-Za-z]{20,}\b/g, 'live_sk_|live_gsk_|t_sk_|t_gsk_'), // Toss Payments; ck is public
  rule(/\bwhsec_[0-9A-Za-z+/=]{16,}/g, 'whsec_'),
  rule(/\b[a-z]{2,8}_(?:secret|live|prod)_[0-9A-Za-z]{16,}\b/g, '_secret_|_live_|_prod_'),
  rule(/\bsk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?[0-9A-Za-z_-]{24,}/g, 'sk-'),
  rule(/\bhf_[0-9A-Za-z]{30,}\b/g, 'hf_'), // Hugging Face: 34 letters
  rule(/\bgsk_[0-9A-Za-z]{40,}\b/g, 'gsk_'), // Groq: 52
  rule(/\bxai-[0-9A-Za-z_]{32,}/g, 'xai-'), // xAI: 80
  rule(/\bAIza[0-9A-Za-z_-]{30,}/g, 'aiza'),
  rule(/\bya29\.[0-9A-Za-z_-]{20,}/g, 'ya29.'),
  rule(/\bGOCSPX-[0-9A-Za-z_-]{20,}/g, 'gocspx-'),
  rule(/\bnpm_[0-9A-Za-z]{30,}\b/g, 'npm_'),
  rule(/\bdckr_[op]at_[0-9A-Za-z_-]{20,}/g, 'dckr_'), // Docker: 27 of a person, 32 of an organisation
  rule(/\bpypi-[0-9A-Za-z_-]{40,}/g, 'pypi-'),
  rule(/\bSG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{30,}/g, 'sg.'),
  rule(/\bSK[0-9a-f]{32}\b/g, [...'0123456789abcdef'].map((digit) => `sk${digit}`).join('|')), // Twilio
  rule(/\b\d{8,10}:AA[0-9A-Za-z_-]{30,}/g, ':aa'), // Telegram
  rule(/(?<=\/bot)\d{8,10}:[0-9A-Za-z_-]{30,}/g, '/bot'),
  rule(/\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}/g, 'eyj'), // JWT
  rule(/\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{200,}$/g, 'eyj'), // a long JWT in a text that was cut
  rule(/\b(?:hvs|hvb|hvr)\.[0-9A-Za-z_-]{16,}/g, 'hvs.|hvb.|hvr.'),
  rule(/\bdop_v1_[0-9a-f]{40,}\b/g, 'dop_v1_'),
  rule(/\bsbp_(?:v0_|oauth_)?[0-9a-f]{40,}\b/g, 'sbp_'), // Supabase, of a person
  rule(/\bsb_secret_[0-9A-Za-z_-]{20,}/g, 'sb_secret_'), // Supabase, of a project; sb_publishable_ is public
  rule(/\blin_(?:api|oauth)_[0-9A-Za-z]{32,}\b/g, 'n_api_|n_oauth_'), // Linear: 40, or 64 hexadecimal digits
  rule(/\bshp(?:at|ss|ca|pa)_[0-9a-fA-F]{30,}\b/g, 'shpat_|shpss_|shpca_|shppa_'),
  rule(/\bAGE-SECRET-KEY-1[0-9A-Z]{40,}\b/g, 'age-secret-key-1'),
  rule(/(?<=[?&;]sig=)[0-9A-Za-z%+/=_-]{20,}/g, 'sig='), // Azure SAS
];

/** No word announces a token of Discord, but few texts match even its `part`. */
export const DISCORD_TOKEN = {
  pattern: /\b[MNO][0-9A-Za-z_-]{17,28}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{25,}/g,
  part: /\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{25}/,
};

/** Whole blocks, even numbered, indented or written with \n; without an end line, all the rest. */
export const PRIVATE_KEY_BLOCK = rule(
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  'private key',
);
