-- Sends a body in which each NAME is replaced by a new name, and each DIGIT by a random digit:
-- fresh.lua <target> <file with the body> <start of the names>
dofile(debug.getinfo(1, "S").source:match("@(.*)/") .. "/result.lua")

function init(args)
    local target, file, start = args[1], io.open(args[2], "rb"), args[3]
    local template = file:read("*a")
    file:close()
    -- Cut once, so that a request is one concatenation.
    local pieces, position = {}, 1
    while true do
        local from, to = template:find("NAME", position, true)
        if not from then break end
        pieces[#pieces + 1] = template:sub(position, from - 1)
        pieces[#pieces + 1] = ""
        position = to + 1
    end
    pieces[#pieces + 1] = template:sub(position)
    local number = 0
    local hasDigit = template:find("DIGIT", 1, true)
    wrk.method = "POST"
    request = function()
        for place = 2, #pieces, 2 do
            number = number + 1
            pieces[place] = start .. number
        end
        local body = table.concat(pieces)
        if hasDigit then body = (body:gsub("DIGIT", function() return tostring(math.random(0, 9)) end)) end
        return wrk.format(nil, target, nil, body)
    end
end
