ALTER TABLE `agent_profiles` ADD `resume_args` text;--> statement-breakpoint
ALTER TABLE `agent_profiles` ADD `prompt_transport` text;--> statement-breakpoint
ALTER TABLE `agent_profiles` ADD `prompt_args` text;--> statement-breakpoint
ALTER TABLE `agent_profiles` ADD `default_line` text;--> statement-breakpoint
UPDATE `agent_profiles` SET `default_line` = '["acp","claude-agent-acp",[],null,"argv",[]]' WHERE `id` = 'prf_claudecode';--> statement-breakpoint
UPDATE `agent_profiles` SET `default_line` = '["acp","codex-acp",[],null,"argv",[]]' WHERE `id` = 'prf_codex';--> statement-breakpoint
UPDATE `agent_profiles` SET `default_line` = '["acp","opencode",["acp"],null,"argv",[]]' WHERE `id` = 'prf_opencode';--> statement-breakpoint
UPDATE `agent_profiles` SET `default_line` = '["acp","gemini",["--acp"],null,"argv",[]]' WHERE `id` = 'prf_gemini';--> statement-breakpoint
-- Terminal profiles of before could not hold resume args: those that start an agent known then, as it comes, get its own.
UPDATE `agent_profiles` SET
	`resume_args` = CASE `command` WHEN 'codex' THEN '["resume"]' WHEN 'opencode' THEN '["--session"]' ELSE '["--resume"]' END,
	`prompt_transport` = 'argv',
	`prompt_args` = CASE `command` WHEN 'opencode' THEN '["--prompt"]' WHEN 'gemini' THEN '["--prompt-interactive"]' ELSE '[]' END
WHERE `driver` = 'terminal' AND `args` = '[]' AND `command` IN ('claude', 'codex', 'opencode', 'gemini');
