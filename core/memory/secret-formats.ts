/** Secrets that give themselves away by their own form, whatever stands around them. The whole match is the secret. */
export const SECRET_FORMATS: readonly RegExp[] = [
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g, // AWS key ids
  /\b(?:ghp|gho|ghu|ghs|ghr)_[0-9A-Za-z]{30,}\b/g,
  /\bgithub_pat_[0-9A-Za-z_]{30,}\b/g,
  /\bgl(?:pat|dt|rt|cbt|ptt|soat)-[0-9A-Za-z_-]{16,}/g,
  /\bxox[abeprs]-[0-9A-Za-z-]{16,}/g,
  /\bxapp-\d-[0-9A-Za-z-]{16,}/g,
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[0-9A-Za-z/_-]{16,}/g,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)[0-9A-Za-z/_-]{16,}/g,
  /\b(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,}\b/g,
  /\bwhsec_[0-9A-Za-z+/=]{16,}/g,
  /\b[a-z]{2,8}_(?:secret|live|prod)_[0-9A-Za-z]{16,}\b/g,
  /\bsk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?[0-9A-Za-z_-]{24,}/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\bya29\.[0-9A-Za-z_-]{20,}/g,
  /\bGOCSPX-[0-9A-Za-z_-]{20,}/g,
  /\bnpm_[0-9A-Za-z]{30,}\b/g,
  /\bpypi-[0-9A-Za-z_-]{40,}/g,
  /\bSG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{30,}/g,
  /\bSK[0-9a-f]{32}\b/g, // Twilio
  /\b[MNO][0-9A-Za-z_-]{17,28}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{25,}/g, // Discord
  /\b\d{8,10}:AA[0-9A-Za-z_-]{30,}/g, // Telegram
  /(?<=\/bot)\d{8,10}:[0-9A-Za-z_-]{30,}/g,
  /\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}/g, // JWT
  /\b(?:hvs|hvb|hvr)\.[0-9A-Za-z_-]{16,}/g,
  /\bdop_v1_[0-9a-f]{40,}\b/g,
  /\bshp(?:at|ss|ca|pa)_[0-9a-fA-F]{30,}\b/g,
  /\bAGE-SECRET-KEY-1[0-9A-Z]{40,}\b/g,
  /(?<=[?&;]sig=)[0-9A-Za-z%+/=_-]{20,}/g, // Azure SAS
];

/** Whole blocks, also numbered, indented or written with \n; without an end, all that follows is the key. */
export const PRIVATE_KEY_BLOCK =
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g;
